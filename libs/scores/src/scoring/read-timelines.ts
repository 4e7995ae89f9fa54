import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import {
  type Asset,
  activeUntilOf,
  type Finding,
  isoTime,
  NEVER_ENDS,
  posture2,
  withoutOverruled,
} from '#libs/domain';
import { assetFacts } from '#libs/views';
import { FollowedPasts } from '../subjects/followed-pasts.ts';
import { inFewPieces, inPieces, ROWS_FIRST } from './in-pieces.ts';
import { type FindingSegments, type PastFinding, segmentsOf } from './segments-of.ts';

/** The scoring facts of an asset, and its groups. */
export interface GroupedAsset extends posture2.ThreatenedAsset {
  type: string;
  department: string;
  location: string;
}

/** With the number of each finding, by its place. */
export interface NumberedTimeline extends posture2.ThreatTimeline<GroupedAsset> {
  findingNos: number[];
}

/** An asset of a partition, and the instant (epoch ms) from which on it is requested. */
export interface Window {
  assetNo: number;
  since: number;
}

export interface TimelineOptions {
  /**
   * Also what only posture-2 requires: retired controls, and the earlier changes of findings that depend on them.
   */
  withPast: boolean;
  /** All findings fit into memory as texts: one statement reads them. */
  isSmall: boolean;
}

/**
 * The states of assets and their findings from an instant each until now, by asset number. The history is read only for
 * changes after that instant, and for what depends on earlier ones; unchanged findings without any mapping are omitted,
 * as they never count. Only the facts for the model are kept of each row: whole assets and findings are in memory a
 * hundred at a time, as texts.
 */
export async function readTimelines(
  tx: QueryExecutorProvider,
  partition: number,
  windows: Window[],
  options: TimelineOptions,
): Promise<Map<number, NumberedTimeline>> {
  const timelines = new Map<number, NumberedTimeline>(
    windows.map(({ assetNo }) => [assetNo, { asset: [], findings: [], findingNos: [] }]),
  );
  for await (const { assetNo, at, state } of readAssets(tx, partition, windows)) {
    const asset = JSON.parse(state) as Asset;
    timelines.get(assetNo)!.asset.push({ from: at, value: asset.deletedAt === null ? grouped(asset) : null });
  }
  for (const timeline of timelines.values()) timeline.asset = withoutOverruled(timeline.asset);
  const query = presentFindings(partition, windows, options.withPast);
  for (const [assetNo, findings] of await readSegments(tx, partition, windows, query, options)) {
    const timeline = timelines.get(assetNo)!;
    timeline.findings = [...findings.values()];
    timeline.findingNos = [...findings.keys()];
  }
  return timelines;
}

/** The states of some findings of an asset from the instant of the window on, by finding number; without any mapping, too. */
export async function readChangedFindings(
  tx: QueryExecutorProvider,
  partition: number,
  window: Window,
  findingNos: number[],
  { withPast }: Pick<TimelineOptions, 'withPast'>,
): Promise<Map<number, FindingSegments>> {
  if (findingNos.length === 0) return new Map();
  const query = someFindings(partition, window.assetNo, findingNos);
  const isSmall = findingNos.length <= ROWS_FIRST;
  const findings = await readSegments(tx, partition, [window], query, { withPast, isSmall });
  return findings.get(window.assetNo) ?? new Map();
}

/** By asset number, then by finding number. */
async function readSegments(
  tx: QueryExecutorProvider,
  partition: number,
  windows: Window[],
  query: RawBuilder<PresentFinding>,
  { withPast, isSmall }: TimelineOptions,
): Promise<Map<number, Map<number, FindingSegments>>> {
  const found = new Map<number, Map<number, FindingSegments>>();
  const add = (assetNo: number, findingNo: number, segments: FindingSegments) => {
    const known = found.get(assetNo);
    if (known) known.set(findingNo, segments);
    else found.set(assetNo, new Map([[findingNo, segments]]));
  };
  const moved: MovedFinding[] = [];
  const sinceOf = new Map(windows.map(({ assetNo, since }) => [assetNo, since]));
  const present = isSmall ? (await query.execute(tx)).rows : inPieces(tx, query);
  for await (const { assetNo, findingNo, body, ...seen } of present) {
    const finding = JSON.parse(body) as Finding;
    const { updatedAt, version } = finding;
    const since = sinceOf.get(assetNo)!;
    const isMoved = updatedAt > since && version > 1;
    const isFollowed =
      withPast && version > 1 && (isMoved ? posture2.canDependOnPast : posture2.dependsOnPast)(finding);
    if (isMoved || isFollowed) {
      moved.push({
        assetNo,
        findingNo,
        since: isFollowed ? BEGINNING : since,
        activeUntil: activeUntilOf(seen),
        isFollowed,
      });
    } else {
      const past = posture2.pastWith(null, finding, updatedAt);
      const value = posture2.assessedFindingOf(finding, seen, past);
      add(assetNo, findingNo, [{ from: updatedAt, value }]);
    }
  }
  const histories = await readHistories(tx, partition, moved);
  moved.forEach(({ assetNo, findingNo, activeUntil }, i) => {
    add(assetNo, findingNo, segmentsOf(histories[i]!, activeUntil));
  });
  return found;
}

/** Before every change. */
const BEGINNING = 0;

const grouped = (asset: Asset): GroupedAsset => {
  const { type, department, location } = assetFacts(asset);
  return { ...posture2.threatenedAssetOf(asset), type, department, location };
};

const readAssets = (tx: QueryExecutorProvider, partition: number, windows: Window[]) =>
  inFewPieces(
    tx,
    sql<{ assetNo: number; at: number; state: string }>`
    /* read_asset_states */
    select t.asset_no as "assetNo", h.at, h.state::text as state
    from ${asTable(windows)}
    cross join lateral (
      (select sequence, at, state from asset_history
        where asset_no = t.asset_no and partition = ${partition} and at <= t.since
        order by sequence desc limit 1)
      union all
      (select sequence, at, state from asset_history
        where asset_no = t.asset_no and partition = ${partition} and at > t.since)
    ) h
    order by t.asset_no, h.sequence`,
  );

interface PresentFinding {
  assetNo: number;
  findingNo: number;
  /** JSON of a `Finding`. */
  body: string;
  expiresAt: number;
  retainUntil: number;
}

const presentFindings = (
  partition: number,
  windows: Window[],
  withRetiredControls: boolean,
) => sql<PresentFinding>`
  /* read_present_findings */
  select ${PRESENT_FINDING}
  from ${asTable(windows)}
  join findings f using (asset_no)
  join finding_seen s using (partition, asset_no, finding_no)
  where f.partition = ${partition}
    and (((f.state <> 'Retired' or (${withRetiredControls} and f.type in ('ca', 'uba')))
          and (f.cves <> '{}' or f.techniques <> '{}'))
         or coalesce(f.updated_ms, (f.body ->> 'updatedAt')::bigint) > extract(epoch from t.since) * 1000)`;

const someFindings = (partition: number, assetNo: number, findingNos: number[]) => sql<PresentFinding>`
  /* read_some_findings */
  select ${PRESENT_FINDING}
  from findings f join finding_seen s using (partition, asset_no, finding_no)
  where f.partition = ${partition} and f.asset_no = ${assetNo}::bigint and f.finding_no = any(${findingNos}::integer[])`;

const PRESENT_FINDING = sql`
  f.asset_no as "assetNo", f.finding_no as "findingNo", f.body::text as body,
  s.expires_at as "expiresAt", s.retain_until as "retainUntil"`;

interface MovedFinding {
  assetNo: number;
  findingNo: number;
  /** The change that was valid then, and all later ones are read. */
  since: number;
  /** Of its present state. */
  activeUntil: number;
  /** Its past is followed from its first change on. */
  isFollowed: boolean;
}

/** Of each finding the change that was valid at its instant, if there was one, and the later ones. */
async function readHistories(
  tx: QueryExecutorProvider,
  partition: number,
  moved: MovedFinding[],
): Promise<PastFinding[][]> {
  const histories: PastFinding[][] = moved.map(() => []);
  if (moved.length === 0) return histories;
  const query = sql<Omit<PastFinding, 'facts'> & { index: number; body: string }>`
    select t.index::integer - 1 as index, h.at, h.expired_at as "expiredAt", h.reason, h.body::text as body
    from unnest(
      ${moved.map(({ assetNo }) => assetNo)}::bigint[], ${moved.map(({ findingNo }) => findingNo)}::integer[],
      ${moved.map(({ since }) => isoTime(since))}::timestamptz[]
    ) with ordinality t (asset_no, finding_no, since, index)
    cross join lateral (
      select * from finding_history h
      where h.asset_no = t.asset_no and h.finding_no = t.finding_no and h.partition = ${partition}
        and h.sequence >= coalesce((
          select sequence from finding_history p
          where p.asset_no = t.asset_no and p.finding_no = t.finding_no and p.partition = ${partition}
            and p.at <= t.since
          order by sequence desc limit 1), 0)
    ) h
    order by t.index, h.sequence`;
  const followed = new FollowedPasts();
  for await (const { index, body, ...change } of inPieces(tx, query)) {
    const finding = JSON.parse(body) as Finding;
    const past = moved[index]!.isFollowed ? followed.next(`${index}`, finding, change.at) : undefined;
    histories[index]!.push({ ...change, facts: posture2.assessedFindingOf(finding, NEVER_ENDS, past) });
  }
  return histories;
}

const asTable = (windows: Window[]) => sql`
  unnest(
    ${windows.map(({ assetNo }) => assetNo)}::bigint[],
    ${windows.map(({ since }) => isoTime(since))}::timestamptz[]
  ) as t (asset_no, since)`;
