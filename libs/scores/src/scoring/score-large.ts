import { type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { readCatalogues } from '#libs/catalogue-store';
import type { Schema } from '#libs/database';
import { type ChoiceTimeline, givesSame, nextCatalogueChange, type posture2, type Since } from '#libs/domain';
import { FINDINGS_TABLE_SQL, selectHistoryKeptFrom } from '#libs/tables';
import { CHOICES_OFFSET } from '../choices/read-choices.ts';
import { dueOf } from './due-of.ts';
import { decisionsOf } from './finding-decisions.ts';
import type { LargeAsset } from './large-assets.ts';
import { readChangedFindings } from './read-timelines.ts';
import type { TakenWindow } from './read-windows.ts';
import { rowsOf } from './score-rows.ts';
import { readRows, type ScoredWindow } from './write-scores.ts';

/** Changes of a partition that one asset may look through, and findings that it may read again. */
const CHANGES_MAX = 10_000;

type Segments = Since<posture2.AssessedFinding>[];

/** What a transaction sees of a partition, besides its rows. */
export interface SeenPartition {
  /** Up to here it sees the changes of findings and assets. */
  findingSequence: number;
  assetSequence: number;
  /** As of `LargeAsset.source`. */
  source: string;
  /** Log offset of the last act that choices follow from. */
  choicesOffset: number;
  /** History before this instant (epoch ms) may be trimmed. */
  keptFrom: number;
}

export interface PartitionView extends SeenPartition {
  partition: number;
  /** Up to here the findings of the partition were scored before. */
  scoredTo: number;
  now: number;
}

/** Null if the partition was never scored. */
export async function readSeenPartition(
  tx: QueryExecutorProvider,
  partition: number,
): Promise<SeenPartition | null> {
  const { rows } = await sql<SeenPartition>`
    /* read_partition_view */
    select coalesce(p.finding_sequence, 0) as "findingSequence", coalesce(p.asset_sequence, 0) as "assetSequence",
           ${sql.raw(FINDINGS_TABLE_SQL)} || ' ' || (
             select count(*) || ' ' || coalesce(max(valid_from)::text, '') from catalogue_imports
             where valid_from is not null) as source,
           ${CHOICES_OFFSET} as "choicesOffset",
           coalesce((${selectHistoryKeptFrom({ partition })}), 'epoch') as "keptFrom"
    from scored_partitions s left join projection_positions p using (partition)
    where s.partition = ${partition}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Scores a large asset from what is kept of it, and from the findings that changed or ended since.
 * @returns null if all of its findings must be read; nothing if its scores have these changes already. If the result is
 *   not null, `kept` has moved on
 */
export async function scoreLarge(
  tx: Transaction<Schema>,
  kept: LargeAsset,
  taken: TakenWindow,
  choices: ChoiceTimeline,
  view: PartitionView,
): Promise<ScoredWindow[] | null> {
  const { partition, now } = view;
  if (taken.isWhole || !isOf(kept, view) || taken.since < kept.scoredFrom) return null;
  if (await hasAssetChanged(tx, kept)) return null;
  if (taken.due === null && taken.lastChange !== null && taken.lastChange <= kept.sequence) return [];
  const changed = await changesOf(tx, kept, view.findingSequence);
  const since = changed.reduce(
    (least, one) => Math.min(least, one.since),
    taken.due ?? Number.POSITIVE_INFINITY,
  );
  if (since < view.keptFrom || !isOnlyChoice(choices, kept, since)) return null;
  const until = Math.max(since, now);
  const findingNos = findingNosOf(kept, changed, until);
  if (findingNos.length > CHANGES_MAX) return null;
  const withPast = kept.choice.model === 'posture-2';
  const findings = await readChangedFindings(tx, partition, { assetNo: kept.assetNo, since }, findingNos, {
    withPast,
  });
  const segments = [...findings.values()];
  const cves = segments.flatMap((one) => one.flatMap(({ value }) => value.cves));
  const catalogues = await readCatalogues(tx, cves, since);
  if (nextCatalogueChange({ findings: segments }, catalogues, until) !== null) return null;
  const steps = kept.risk.move(placed(kept, findings), catalogues, since, until);
  if (!steps) return null;
  Object.assign(kept, { sequence: view.findingSequence, assetSequence: view.assetSequence });
  const window = { assetNo: kept.assetNo, since };
  const before = (await readRows(tx, partition, [window])).get(kept.assetNo)!;
  const { timeline } = kept.risk;
  const decided = { asset: timeline.asset, findings: segments, findingNos: [...findings.keys()] };
  return [
    {
      ...window,
      before,
      after: rowsOf(before, steps),
      due: dueOf(kept.risk.due(until), until),
      decisions: decisionsOf(decided, catalogues.at(until), until),
      decidedOn: decided.findingNos,
    },
  ];
}

const isOf = (kept: LargeAsset, { source, scoredTo, findingSequence }: PartitionView): boolean =>
  kept.source === source && kept.scoredTo <= scoredTo && findingSequence - kept.sequence <= CHANGES_MAX;

const isOnlyChoice = (choices: ChoiceTimeline, { choice }: LargeAsset, since: number): boolean => {
  const last = choices.at(-1)!;
  return last.from <= since && givesSame(last.value, choice);
};

/** Another process may have scored it since. */
async function hasAssetChanged(
  tx: Transaction<Schema>,
  { assetNo, partition, assetSequence }: LargeAsset,
): Promise<boolean> {
  const { rows } = await sql`
    select from asset_history
    where asset_no = ${assetNo}::bigint and partition = ${partition} and sequence > ${assetSequence}::bigint
    limit 1`.execute(tx);
  return rows.length > 0;
}

interface ChangedFinding {
  findingNo: number;
  /** Epoch ms. */
  since: number;
}

/** Its findings that changed after what is kept. Readers saw expirations before the history contained them. */
async function changesOf(
  tx: Transaction<Schema>,
  { assetNo, partition, sequence }: LargeAsset,
  to: number,
): Promise<ChangedFinding[]> {
  const { rows } = await sql<ChangedFinding>`
    select finding_no as "findingNo", min(least(at, expired_at)) as since
    from finding_history
    where partition = ${partition} and sequence > ${sequence}::bigint and sequence <= ${to}::bigint
      and asset_no = ${assetNo}::bigint
    group by finding_no`.execute(tx);
  return rows;
}

const findingNosOf = (
  { risk, findingNos }: LargeAsset,
  changed: ChangedFinding[],
  until: number,
): number[] => [
  ...new Set([
    ...changed.map(({ findingNo }) => findingNo),
    ...risk.dueUntil(until).map((place) => findingNos[place]!),
  ]),
];

/** By place; new findings follow the known ones. */
function placed({ places, findingNos }: LargeAsset, findings: Map<number, Segments>): Map<number, Segments> {
  return new Map(
    [...findings].map(([findingNo, segments]) => {
      const known = places.get(findingNo);
      if (known !== undefined) return [known, segments];
      places.set(findingNo, findingNos.length);
      return [findingNos.push(findingNo) - 1, segments];
    }),
  );
}
