import { type Kysely, sql, type Transaction } from 'kysely';
import { catalogueName, readCatalogues } from '#libs/catalogue-store';
import { instant, type Schema } from '#libs/database';
import {
  type ChoiceTimeline,
  DEFAULT_CHOICE,
  nextChange,
  type posture2,
  storedRisks,
  unconfirmedEnd,
} from '#libs/domain';
import { CHOICES_OFFSET } from '../choices/read-choices.ts';
import { pagesOf } from '../subjects/pages-of.ts';
import { DECISIONS_VERSION, decideAll } from './decide-all.ts';
import { decisionsOf, writeDecisions } from './finding-decisions.ts';
import { followChoices } from './follow-choices.ts';
import { GroupChanges } from './group-changes.ts';
import { readTimelines, type Window } from './read-timelines.ts';
import { type ScoredPosition, takeWindows } from './read-windows.ts';
import { areSame, openRow, rowsOf } from './score-rows.ts';
import {
  addToSums,
  appendChanges,
  readRows,
  replaceRows,
  type ScoredWindow,
  writeCurrent,
} from './write-scores.ts';

const CHUNK_BOUNDS = { assetsMax: 200, findingsMax: 2_000 };
/** An expiry that the fold has not confirmed is checked again after this time: the sweep reports it within a minute. */
const UNCONFIRMED_MS = 60_000;
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS_MAX = 10;

export interface ScoredBatch {
  /** Number of processed assets; 0 if nothing was left to do. */
  assets: number;
  /** Number of score changes to publish. */
  changes: number;
}

/**
 * Scores the next assets of a partition whose score may have changed, in one transaction, from the stored rows: scores
 * follow only from findings, assets and catalogues, so that scoring again changes nothing. Two processes may call it at
 * once; one waits for the other.
 * @param now epoch ms: up to here findings have ended
 */
export async function scorePartition(
  db: Kysely<Schema>,
  partition: number,
  now: number,
): Promise<ScoredBatch> {
  if (!(await isWaiting(db, partition, now))) return { assets: 0, changes: 0 };
  for (let attempt = 1; ; attempt++) {
    try {
      return await scoreOnce(db, partition, now);
    } catch (error) {
      if (!isOvertaken(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** One statement, without locks: a service that has nothing to do asks this of each partition every second. */
async function isWaiting(db: Kysely<Schema>, partition: number, now: number): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`
    select not exists (
        select from scored_partitions where partition = ${partition} and choices_offset = ${CHOICES_OFFSET}
          and decisions_version = ${DECISIONS_VERSION})
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

function scoreOnce(db: Kysely<Schema>, partition: number, now: number): Promise<ScoredBatch> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const stored = await lockPartition(tx, partition);
      const choices = await followChoices(tx, stored);
      await decideAll(tx, stored, now);
      const { sinceOf, position } = await takeWindows(tx, partition, positionOf(stored), now);
      if (sinceOf.size === 0) return { assets: 0, changes: 0 };
      const catalogue = await catalogueName(tx, now);
      let sequence = stored.sequence;
      for await (const windows of chunks(tx, sinceOf)) {
        const scored = await scoreWindows(tx, partition, windows, choices, now);
        sequence = await writeScored(tx, partition, sequence, scored, { catalogue, now });
      }
      await tx
        .updateTable('scored_partitions')
        .set({
          asset_sequence: position.assetSequence,
          finding_sequence: position.findingSequence,
          sequence,
        })
        .where('partition', '=', partition)
        .execute();
      return { assets: sinceOf.size, changes: sequence - stored.sequence };
    });
}

async function lockPartition(tx: Transaction<Schema>, partition: number) {
  await tx
    .insertInto('scored_partitions')
    .values({ partition, model: DEFAULT_CHOICE.model, decisions_version: DECISIONS_VERSION })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('scored_partitions')
    .selectAll()
    .where('partition', '=', partition)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { ...row, choices: row.choices as ChoiceTimeline | null };
}

const positionOf = (row: { asset_sequence: number; finding_sequence: number }): ScoredPosition => ({
  assetSequence: row.asset_sequence,
  findingSequence: row.finding_sequence,
});

/** The assets in chunks whose findings fit into memory. */
async function* chunks(tx: Transaction<Schema>, sinceOf: Map<number, number>): AsyncGenerator<Window[]> {
  const assetNos = [...sinceOf.keys()].sort((a, b) => a - b);
  const { rows } = await sql<{ asset_no: number; findings: number }>`
    select asset_no, count(*) as findings from findings where asset_no = any(${assetNos}::bigint[])
    group by asset_no`.execute(tx);
  const countOf = new Map(rows.map(({ asset_no, findings }) => [asset_no, findings]));
  const windows = assetNos.map((assetNo) => ({ assetNo, since: sinceOf.get(assetNo)! }));
  yield* pagesOf(windows, ({ assetNo }) => countOf.get(assetNo) ?? 0, CHUNK_BOUNDS);
}

async function scoreWindows(
  tx: Transaction<Schema>,
  partition: number,
  windows: Window[],
  choices: ChoiceTimeline,
  now: number,
): Promise<ScoredWindow[]> {
  const withPast = choices.some(({ value }) => value.model === 'posture-2');
  const timelines = await readTimelines(tx, partition, windows, { withPast });
  const stored = await readRows(tx, windows);
  const first = windows.reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY);
  const catalogues = await readCatalogues(tx, cvesOf([...timelines.values()]), first);
  return windows.map((window) => {
    const timeline = timelines.get(window.assetNo)!;
    const until = Math.max(window.since, now);
    const before = stored.get(window.assetNo)!;
    const after = rowsOf(before, storedRisks(choices, timeline, catalogues, window.since, until));
    const decisions = decisionsOf(timeline, catalogues.at(until), until);
    return { ...window, before, after, due: dueOf(choices, timeline, until), decisions };
  });
}

const cvesOf = (timelines: posture2.ThreatTimeline[]): string[] =>
  timelines.flatMap(({ findings }) =>
    findings.flatMap((segments) => segments.flatMap(({ value }) => value.cves)),
  );

function dueOf(
  choices: ChoiceTimeline,
  timeline: posture2.ThreatTimeline,
  until: number,
): ScoredWindow['due'] {
  const next = nextChange(choices, timeline, until);
  const unconfirmed = unconfirmedEnd(timeline, until);
  if (unconfirmed === null) return next === null ? null : { at: next, from: next };
  return { at: Math.min(next ?? Number.POSITIVE_INFINITY, until + UNCONFIRMED_MS), from: unconfirmed };
}

async function writeScored(
  tx: Transaction<Schema>,
  partition: number,
  sequence: number,
  scored: ScoredWindow[],
  told: { catalogue: string; now: number },
): Promise<number> {
  await writeCurrent(tx, partition, scored);
  await writeDecisions(tx, partition, scored);
  const changed = scored.filter(({ before, after }) => !areSame(before, after));
  if (changed.length === 0) return sequence;
  await replaceRows(tx, partition, changed);
  const groups = new GroupChanges();
  for (const { before, after } of changed) groups.move(openRow(before), openRow(after));
  await addToSums(tx, partition, groups.all());
  return appendChanges(tx, partition, sequence, changed, told);
}
