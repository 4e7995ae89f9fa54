import { sql, type Transaction } from 'kysely';
import type { Schema } from '#libs/database';
import {
  type Asset,
  type AssetFacts,
  type AssetTimeline,
  type Finding,
  type FindingFacts,
  findingFactsOf,
  type Since,
} from '#libs/domain';
import { assetFacts } from '#libs/views';
import { inPieces } from './in-pieces.ts';

/** What is scored of an asset, and the groups that it is in. */
export interface GroupedAsset extends AssetFacts {
  type: string;
  attackSurface: string;
  department: string;
  location: string;
}

/** An asset of a partition, and the instant (epoch ms) from which on it is asked for. */
export interface Window {
  assetNo: number;
  since: number;
}

/**
 * What assets and their findings were from an instant each until now, by asset number. The history is read only of what
 * changed after that instant; findings without any mapping that did not change are left out, as they never count. What is
 * kept of each row is what the model asks for: whole assets and findings are in memory a hundred at a time, as texts.
 */
export async function readTimelines(
  tx: Transaction<Schema>,
  partition: number,
  windows: Window[],
): Promise<Map<number, AssetTimeline<GroupedAsset>>> {
  const timelines = new Map<number, AssetTimeline<GroupedAsset>>(
    windows.map(({ assetNo }) => [assetNo, { asset: [], findings: [] }]),
  );
  for await (const { assetNo, at, state } of readAssets(tx, partition, windows)) {
    const asset = JSON.parse(state) as Asset;
    timelines.get(assetNo)!.asset.push({ from: at, value: asset.deletedAt === null ? grouped(asset) : null });
  }
  for (const timeline of timelines.values()) timeline.asset = withoutOverruled(timeline.asset);
  const moved: MovedFinding[] = [];
  const sinceOf = new Map(windows.map(({ assetNo, since }) => [assetNo, since]));
  for await (const { assetNo, findingNo, body, ...seen } of readFindings(tx, windows)) {
    const finding = JSON.parse(body) as Finding;
    const { updatedAt, version } = finding;
    const since = sinceOf.get(assetNo)!;
    const present = findingFactsOf(finding, seen);
    if (updatedAt > since && version > 1) moved.push({ assetNo, findingNo, since, present });
    else timelines.get(assetNo)!.findings.push([{ from: updatedAt, value: present }]);
  }
  const histories = await readHistories(tx, partition, moved);
  moved.forEach(({ assetNo, present }, i) => {
    timelines.get(assetNo)!.findings.push(segmentsOf(histories[i]!, present));
  });
  return timelines;
}

const grouped = (asset: Asset): GroupedAsset => {
  const { type, attackSurface, department, location } = assetFacts(asset);
  const { id, criticality, confidentialityRequirement, integrityRequirement, availabilityRequirement } =
    asset;
  return {
    id,
    criticality,
    confidentialityRequirement,
    integrityRequirement,
    availabilityRequirement,
    type,
    attackSurface,
    department,
    location,
  };
};

const readAssets = (tx: Transaction<Schema>, partition: number, windows: Window[]) =>
  inPieces(
    tx,
    sql<{ assetNo: number; at: number; state: string }>`
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

const readFindings = (tx: Transaction<Schema>, windows: Window[]) =>
  inPieces(
    tx,
    sql<PresentFinding>`
    select f.asset_no as "assetNo", f.finding_no as "findingNo", f.body::text as body,
           s.expires_at as "expiresAt", s.retain_until as "retainUntil"
    from ${asTable(windows)}
    join findings f using (asset_no)
    join finding_seen s using (asset_no, finding_no)
    where (f.state <> 'Retired' and (f.cves <> '{}' or f.techniques <> '{}'))
       or (f.body ->> 'updatedAt')::bigint > extract(epoch from t.since) * 1000`,
  );

interface MovedFinding {
  assetNo: number;
  findingNo: number;
  since: number;
  present: FindingFacts;
}

interface PastFinding {
  at: number;
  expiredAt: number | null;
  reason: string | null;
  /** As if it never ended. */
  facts: FindingFacts;
}

const NEVER = { expiresAt: Number.POSITIVE_INFINITY, retainUntil: Number.POSITIVE_INFINITY };

/** Of each finding the change that held at its instant, if there was one, and those that came later. */
async function readHistories(
  tx: Transaction<Schema>,
  partition: number,
  moved: MovedFinding[],
): Promise<PastFinding[][]> {
  const histories: PastFinding[][] = moved.map(() => []);
  if (moved.length === 0) return histories;
  const query = sql<Omit<PastFinding, 'facts'> & { index: number; body: string }>`
    select t.index::integer - 1 as index, h.at, h.expired_at as "expiredAt", h.reason, h.body::text as body
    from unnest(
      ${moved.map(({ assetNo }) => assetNo)}::bigint[], ${moved.map(({ findingNo }) => findingNo)}::integer[],
      ${moved.map(({ since }) => new Date(since).toISOString())}::timestamptz[]
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
  for await (const { index, body, ...past } of inPieces(tx, query)) {
    histories[index]!.push({ ...past, facts: findingFactsOf(JSON.parse(body) as Finding, NEVER) });
  }
  return histories;
}

/**
 * A finding that was seen again does not say any more when it would have ended, had it not been: it had ended before
 * its next change only where that change says so (the fold retires what has expired first, rule 3).
 */
function segmentsOf(history: PastFinding[], present: FindingFacts): Since<FindingFacts>[] {
  const segments = history.map(({ at, facts }, i) => {
    if (i === history.length - 1) return { from: at, value: present };
    const next = history.slice(i + 1).find(({ reason }) => reason !== 'acceptanceEnded');
    return { from: at, value: { ...facts, activeUntil: next?.expiredAt ?? Number.POSITIVE_INFINITY } };
  });
  return withoutOverruled(segments);
}

/** Without changes of a clock that was ahead: later ones, of the corrected clock, hold from an earlier instant on. */
function withoutOverruled<T>(segments: Since<T>[]): Since<T>[] {
  let earliest = Number.POSITIVE_INFINITY;
  return segments
    .toReversed()
    .filter(({ from }) => {
      const holds = from <= earliest;
      earliest = Math.min(earliest, from);
      return holds;
    })
    .toReversed();
}

const asTable = (windows: Window[]) => sql`
  unnest(
    ${windows.map(({ assetNo }) => assetNo)}::bigint[],
    ${windows.map(({ since }) => new Date(since).toISOString())}::timestamptz[]
  ) as t (asset_no, since)`;
