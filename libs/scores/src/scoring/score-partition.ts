import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { readCatalogues } from '#libs/catalogue-store';
import { atOnce, instant, type Schema } from '#libs/database';
import {
  type ChoiceTimeline,
  DEFAULT_CHOICE,
  MovingRisk,
  nextCatalogueChange,
  nextChange,
  type posture2,
  type StoredRiskStep,
  storedRisks,
  unconfirmedEnd,
} from '#libs/domain';
import { CHOICES_OFFSET } from '../choices/read-choices.ts';
import { pagesOf } from '../subjects/pages-of.ts';
import { DECISIONS_VERSION, decideAll } from './decide-all.ts';
import { dueOf } from './due-of.ts';
import { decisionsOf, writeDecisions } from './finding-decisions.ts';
import { followChoices, type ScoredWith } from './follow-choices.ts';
import { GroupChanges } from './group-changes.ts';
import { type LargeAsset, LargeAssets } from './large-assets.ts';
import { type GroupedAsset, type NumberedTimeline, readTimelines, type Window } from './read-timelines.ts';
import { type ScoredPosition, type TakenWindow, takeWindows } from './read-windows.ts';
import { type PartitionView, readSeenPartition, type SeenPartition, scoreLarge } from './score-large.ts';
import { areSame, openRow, rowsOf } from './score-rows.ts';
import {
  addToSums,
  appendChanges,
  readRows,
  replaceRows,
  type ScoredWindow,
  writeCurrent,
} from './write-scores.ts';

/** Of findings that are read by one statement, as they are stored: 90 times as much at most when decompressed. */
const SMALL_BYTES_MAX = 64 * 1024;
const CHUNK_BOUNDS = { assetsMax: 200, findingsMax: 2_000 };
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS_MAX = 10;

export interface ScoredBatch {
  /** Number of processed assets; 0 if nothing was left to do. */
  assets: number;
  /** Its bounds were reached: there may be more to do. */
  hasMore: boolean;
  /** Number of score changes to publish. */
  changes: number;
}

/**
 * Scores the next assets of a partition whose score may have changed, in one transaction, from the stored rows: scores
 * follow only from findings, assets and catalogues, so that scoring again changes nothing. Two processes may call it at
 * once; one waits for the other.
 * @param now epoch ms: up to here findings have ended
 * @param large assets that this process has scored; without it, each change reads all findings of its asset
 */
export async function scorePartition(
  db: Kysely<Schema>,
  partition: number,
  now: number,
  large = new LargeAssets(),
): Promise<ScoredBatch> {
  if (!(await isWaiting(db, partition, now))) return { assets: 0, hasMore: false, changes: 0 };
  for (let attempt = 1; ; attempt++) {
    try {
      const { batch, kept, moved } = await scoreOnce(db, partition, now, large);
      // Only after the commit: what is kept has the state that was stored.
      large.advance(partition, moved.from, moved.to);
      for (const asset of kept) large.keep(asset);
      return batch;
    } catch (error) {
      if (!isOvertaken(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** One statement, without locks: a service that has nothing to do asks this of each partition every second. */
async function isWaiting(db: Kysely<Schema>, partition: number, now: number): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`
    /* are_scores_waiting */
    select not exists (
        select from scored_partitions where partition = ${partition} and choices_offset = ${CHOICES_OFFSET}
          and decisions_version >= ${DECISIONS_VERSION})
      or exists (
        select from scored_partitions s join asset_history h using (partition)
        where partition = ${partition} and h.sequence > s.asset_sequence)
      or exists (
        select from scored_partitions s join finding_history h using (partition)
        where partition = ${partition} and h.sequence > s.finding_sequence)
      or exists (select from rescorings where partition = ${partition})
      or exists (select from asset_scores where partition = ${partition} and due_at <= ${instant(now)})
      as waiting`.execute(db);
  return rows[0]!.waiting;
}

/** Another process moved the partition on since this one's snapshot. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE;

interface Scored {
  batch: ScoredBatch;
  /** Large assets, as they are after the batch. */
  kept: LargeAsset[];
  /** In the history of findings. */
  moved: { from: number; to: number };
}

function scoreOnce(db: Kysely<Schema>, partition: number, now: number, large: LargeAssets): Promise<Scored> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const { stored, seen } = await lockPartition(tx, partition);
      const view = { ...seen, partition, scoredTo: stored.finding_sequence, now };
      const choices = await followChoices(tx, stored, view.choicesOffset);
      await decideAll(tx, stored, choices, now);
      const { taken, position, hasMore } = await takeWindows(tx, partition, positionOf(stored), view);
      const moved = { from: stored.finding_sequence, to: position.findingSequence };
      if (taken.size === 0) return { batch: { assets: 0, hasMore: false, changes: 0 }, kept: [], moved };
      const kept: LargeAsset[] = [];
      let sequence = stored.sequence;
      for await (const scored of scoreTaken(tx, taken, choices, view, { large, kept })) {
        sequence = await writeScored(tx, partition, sequence, scored, now);
      }
      await sql`
        /* move_scored_position */
        update scored_partitions
        set asset_sequence = ${position.assetSequence}, finding_sequence = ${position.findingSequence},
            sequence = ${sequence}
        where partition = ${partition}`.execute(tx);
      for (const asset of kept) {
        asset.scoredTo = position.findingSequence;
        asset.sequence = Math.max(asset.sequence, position.findingSequence);
      }
      const batch = { assets: taken.size, hasMore, changes: sequence - stored.sequence };
      return { batch, kept, moved };
    });
}

/** The large assets that are in memory, then the others in chunks whose findings fit into it. */
async function* scoreTaken(
  tx: Transaction<Schema>,
  taken: ReadonlyMap<number, TakenWindow>,
  choices: ChoiceTimeline,
  view: PartitionView,
  { large, kept }: { large: LargeAssets; kept: LargeAsset[] },
): AsyncGenerator<ScoredWindow[]> {
  const sinceOf = new Map([...taken].map(([assetNo, { since }]) => [assetNo, since]));
  for (const [assetNo, window] of taken) {
    const known = large.take(assetNo);
    const scored = known && (await scoreLarge(tx, known, window, choices, view));
    if (!scored) continue;
    kept.push(known);
    sinceOf.delete(assetNo);
    if (scored.length > 0) yield scored;
  }
  for await (const windows of chunks(tx, view.partition, sinceOf)) {
    const scored = await scoreWindows(tx, windows, choices, view, large.findingsMin);
    kept.push(...scored.flatMap((one) => one.kept ?? []));
    yield scored;
  }
}

interface StoredPartition extends ScoredWith {
  asset_sequence: number;
  finding_sequence: number;
  /** Of its last score change. */
  sequence: number;
  decisions_version: number;
}

interface LockedPartition {
  stored: StoredPartition;
  seen: SeenPartition;
}

async function lockPartition(tx: Transaction<Schema>, partition: number): Promise<LockedPartition> {
  const [stored, seen] = await atOnce(tx, (one) => [
    lockRow(one, partition),
    readSeenPartition(one, partition),
  ]);
  if (stored && seen) return { stored, seen };
  await tx
    .insertInto('scored_partitions')
    .values({ partition, model: DEFAULT_CHOICE.model, decisions_version: DECISIONS_VERSION })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return lockPartition(tx, partition);
}

async function lockRow(tx: QueryExecutorProvider, partition: number): Promise<StoredPartition | undefined> {
  const { rows } = await sql<StoredPartition>`
    /* lock_scored_partition */
    select partition, asset_sequence, finding_sequence, sequence, choices_offset, choices, decisions_version
    from scored_partitions where partition = ${partition} for update`.execute(tx);
  return rows[0];
}

const positionOf = (row: StoredPartition): ScoredPosition => ({
  assetSequence: row.asset_sequence,
  findingSequence: row.finding_sequence,
});

interface CountedWindow extends Window {
  /** Findings of the asset. */
  findings: number;
  /** Of these findings, as they are stored, which is mostly compressed. */
  storedBytes: number;
}

/** The assets in chunks whose findings fit into memory. */
async function* chunks(
  tx: Transaction<Schema>,
  partition: number,
  sinceOf: ReadonlyMap<number, number>,
): AsyncGenerator<CountedWindow[]> {
  const assetNos = [...sinceOf.keys()].sort((a, b) => a - b);
  if (assetNos.length === 0) return;
  const { rows } = await sql<Pick<CountedWindow, 'assetNo' | 'findings' | 'storedBytes'>>`
    /* count_scored_findings */
    select asset_no as "assetNo", count(*) as findings, sum(pg_column_size(body)) as "storedBytes" from findings
    where partition = ${partition} and asset_no = any(${assetNos}::bigint[])
    group by asset_no`.execute(tx);
  const countOf = new Map(rows.map((row) => [row.assetNo, row]));
  const windows = assetNos.map((assetNo) => ({
    ...(countOf.get(assetNo) ?? { assetNo, findings: 0, storedBytes: 0 }),
    since: sinceOf.get(assetNo)!,
  }));
  yield* pagesOf(windows, ({ findings }) => findings, CHUNK_BOUNDS);
}

async function scoreWindows(
  tx: Transaction<Schema>,
  windows: CountedWindow[],
  choices: ChoiceTimeline,
  view: PartitionView,
  largeMin: number,
): Promise<(ScoredWindow & { kept: LargeAsset | null })[]> {
  const withPast = choices.some(({ value }) => value.model === 'posture-2');
  const storedBytes = windows.reduce((sum, window) => sum + window.storedBytes, 0);
  const isSmall = storedBytes <= SMALL_BYTES_MAX;
  const [timelines, stored] = await atOnce(tx, (one) => [
    readTimelines(one, view.partition, windows, { withPast, isSmall }),
    readRows(one, view.partition, windows),
  ]);
  const first = windows.reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY);
  const catalogues = await readCatalogues(tx, cvesOf([...timelines.values()]), first);
  return windows.map(({ assetNo, since, findings }) => {
    const timeline = timelines.get(assetNo)!;
    const until = Math.max(since, view.now);
    const before = stored.get(assetNo)!;
    const isKept =
      findings >= largeMin &&
      isLive(timeline) &&
      choices.at(-1)!.from <= since &&
      nextCatalogueChange(timeline, catalogues, until) === null;
    const { steps, kept } = isKept
      ? beginLarge(assetNo, timeline, choices, { catalogues, since, until }, view)
      : { steps: storedRisks(choices, timeline, catalogues, since, until), kept: null };
    const after = rowsOf(before, steps);
    const decisions = decisionsOf(timeline, catalogues.at(until), until);
    const next = nextChange(choices, timeline, catalogues, until);
    const due = dueOf({ next, unconfirmed: unconfirmedEnd(timeline, until) }, until);
    return { assetNo, since, before, after, due, decisions, kept };
  });
}

const isLive = ({ asset }: NumberedTimeline): boolean => (asset.at(-1)?.value ?? null) !== null;

const cvesOf = (timelines: posture2.ThreatTimeline[]): string[] =>
  timelines.flatMap(({ findings }) =>
    findings.flatMap((segments) => segments.flatMap(({ value }) => value.cves)),
  );

/** Scores an asset by the only choice since the instant, and keeps it. */
function beginLarge(
  assetNo: number,
  timeline: NumberedTimeline,
  choices: ChoiceTimeline,
  {
    catalogues,
    since,
    until,
  }: { catalogues: posture2.ThreatCatalogueTimeline; since: number; until: number },
  { partition, findingSequence, assetSequence, scoredTo, source }: PartitionView,
): { steps: StoredRiskStep<GroupedAsset>[]; kept: LargeAsset } {
  const choice = choices.at(-1)!.value;
  const { risk, steps } = MovingRisk.begin(choice, timeline, catalogues, since, until);
  const { findingNos } = timeline;
  const kept = {
    ...{ assetNo, partition, risk, choice, findingNos, scoredTo, assetSequence, source },
    places: new Map(findingNos.map((findingNo, place) => [findingNo, place])),
    scoredFrom: since,
    sequence: findingSequence,
  };
  return { steps, kept };
}

async function writeScored(
  tx: Transaction<Schema>,
  partition: number,
  sequence: number,
  scored: ScoredWindow[],
  now: number,
): Promise<number> {
  const changed = scored.filter(({ before, after }) => !areSame(before, after));
  const groups = new GroupChanges();
  for (const { before, after } of changed) groups.move(openRow(before), openRow(after));
  const [appendedTo] = await atOnce(tx, (one) => [
    appendChanges(one, partition, sequence, changed, now),
    writeCurrent(one, partition, scored),
    writeDecisions(one, partition, scored),
    replaceRows(one, partition, changed),
    addToSums(one, partition, groups.all()),
  ]);
  return appendedTo;
}
