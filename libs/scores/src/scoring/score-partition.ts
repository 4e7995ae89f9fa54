import { type Kysely, sql, type Transaction } from 'kysely';
import { catalogueName, readCatalogues } from '#libs/catalogue-store';
import { instant, type Schema } from '#libs/database';
import { type AssetTimeline, nextEnd, SCORING_MODEL, scoreTimeline, unconfirmedEnd } from '#libs/domain';
import { GroupChanges } from './group-changes.ts';
import { type GroupedAsset, readTimelines, type Window } from './read-timelines.ts';
import { takeWindows } from './read-windows.ts';
import { areSame, openRow, rowsOf } from './score-rows.ts';
import {
  addToSums,
  appendChanges,
  readRows,
  replaceRows,
  type ScoredWindow,
  writeCurrent,
} from './write-scores.ts';

/** Findings in memory at a time; an asset with more comes alone. */
const FINDINGS_MAX = 2_000;
const ASSETS_MAX = 200;
/** An end that the fold has not confirmed is looked at again; the sweep tells it within a minute. */
const UNCONFIRMED_MS = 60_000;
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS_MAX = 10;

export interface ScoredBatch {
  /** Assets that were looked at; 0 where nothing was left to do. */
  assets: number;
  /** Changes of scores that are to be published. */
  changes: number;
}

/**
 * Scores the next assets of a partition of which the score may have changed, in one transaction, as whatever is stored
 * says: scores follow from findings, assets and catalogues alone, so that scoring again changes nothing. Two processes
 * may do it at once; one waits for the other.
 * @param now epoch ms: up to here findings have ended
 */
export async function scorePartition(
  db: Kysely<Schema>,
  partition: number,
  now: number,
): Promise<ScoredBatch> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await scoreOnce(db, partition, now);
    } catch (error) {
      if (!isOvertaken(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Another process moved the partition on since this one's snapshot. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE;

function scoreOnce(db: Kysely<Schema>, partition: number, now: number): Promise<ScoredBatch> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const stored = await lockPartition(tx, partition, now);
      const { sinceOf, position } = await takeWindows(tx, partition, stored, now);
      if (sinceOf.size === 0) return { assets: 0, changes: 0 };
      const catalogue = await catalogueName(tx, now);
      let sequence = stored.sequence;
      for await (const windows of chunks(tx, sinceOf)) {
        const scored = await scoreWindows(tx, partition, windows, now);
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

/** A new model scores all assets anew from now on; what was before stays as the model of then said. */
async function lockPartition(tx: Transaction<Schema>, partition: number, now: number) {
  await tx
    .insertInto('scored_partitions')
    .values({ partition, model: SCORING_MODEL })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('scored_partitions')
    .selectAll()
    .where('partition', '=', partition)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.model !== SCORING_MODEL) {
    await sql`
      insert into rescorings (partition, asset_no, since)
      select partition, asset_no, ${instant(now)} from asset_scores where partition = ${partition}
      on conflict do nothing`.execute(tx);
    await tx
      .updateTable('scored_partitions')
      .set({ model: SCORING_MODEL })
      .where('partition', '=', partition)
      .execute();
  }
  return {
    assetSequence: row.asset_sequence,
    findingSequence: row.finding_sequence,
    sequence: row.sequence,
  };
}

/** So many assets at a time that their findings fit into memory. */
async function* chunks(tx: Transaction<Schema>, sinceOf: Map<number, number>): AsyncGenerator<Window[]> {
  const assetNos = [...sinceOf.keys()].sort((a, b) => a - b);
  const { rows } = await sql<{ asset_no: number; findings: number }>`
    select asset_no, count(*) as findings from findings where asset_no = any(${assetNos}::bigint[])
    group by asset_no`.execute(tx);
  const countOf = new Map(rows.map(({ asset_no, findings }) => [asset_no, findings]));
  let chunk: Window[] = [];
  let findings = 0;
  for (const assetNo of assetNos) {
    const own = countOf.get(assetNo) ?? 0;
    if (chunk.length === ASSETS_MAX || (chunk.length > 0 && findings + own > FINDINGS_MAX)) {
      yield chunk;
      chunk = [];
      findings = 0;
    }
    chunk.push({ assetNo, since: sinceOf.get(assetNo)! });
    findings += own;
  }
  yield chunk;
}

async function scoreWindows(
  tx: Transaction<Schema>,
  partition: number,
  windows: Window[],
  now: number,
): Promise<ScoredWindow[]> {
  const timelines = await readTimelines(tx, partition, windows);
  const stored = await readRows(tx, windows);
  const first = windows.reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY);
  const catalogues = await readCatalogues(tx, cvesOf([...timelines.values()]), first);
  return windows.map((window) => {
    const timeline = timelines.get(window.assetNo)!;
    const until = Math.max(window.since, now);
    const before = stored.get(window.assetNo)!;
    const after = rowsOf(before, scoreTimeline(timeline, catalogues, window.since, until));
    return { ...window, before, after, due: dueOf(timeline, until) };
  });
}

const cvesOf = (timelines: AssetTimeline[]): string[] =>
  timelines.flatMap(({ findings }) =>
    findings.flatMap((segments) => segments.flatMap(({ value }) => value.cves)),
  );

function dueOf(timeline: AssetTimeline<GroupedAsset>, until: number): ScoredWindow['due'] {
  const next = nextEnd(timeline, until);
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
  const changed = scored.filter(({ before, after }) => !areSame(before, after));
  if (changed.length === 0) return sequence;
  await replaceRows(tx, partition, changed);
  const groups = new GroupChanges();
  for (const { before, after } of changed) groups.move(openRow(before), openRow(after));
  await addToSums(tx, partition, groups.all());
  return appendChanges(tx, partition, sequence, changed, told);
}
