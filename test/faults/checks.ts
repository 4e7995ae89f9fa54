import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { ASSETS_TOPIC, type ChangeTopic, decodeChange, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import { type Database, openDatabase } from '#libs/database';
import { type EventLog, KafkaEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { lastRecord } from '#libs/publish';
import { shortOf } from '#libs/subject-keys';
import { filesWithTraces, tablesWithTraces, topicsWithTraces, tracesOf } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';
import { ERASED_MARKER, type Load, SHARED_FINDING } from './load.ts';
import { PARTITIONS, type Site } from './site.ts';

const CATCH_UP_MS_MAX = 120_000;
/** Topic → the kind of its changes, only topics of the fold. */
const CHANGES = { [FINDINGS_TOPIC]: 'finding', [ASSETS_TOPIC]: 'asset' } as const;

/** Invariants of a site after the load, for any faults before. */
export async function expectWhole(site: Site, load: Load): Promise<void> {
  const database = openDatabase(site.databaseUrl, { max: 4 });
  const log = new KafkaEventLog({ brokers: site.kafka.brokers.split(','), partitions: PARTITIONS });
  try {
    await untilFolded(database, log);
    await expectFoldedOnce(database, load);
    await untilPublished(database, log);
    for (const topic of [FINDINGS_TOPIC, ASSETS_TOPIC] as const)
      await expectPublishedOnce(database, log, topic);
    await untilScored(database, log);
    await expectScoresPublishedOnce(database, log);
    if (load.erased.length > 0) await expectErased(site, load, database, log);
    await expectVerified({ DATABASE_URL: site.databaseUrl, KAFKA_BROKERS: site.kafka.brokers });
  } finally {
    await log.close();
    await database.close();
  }
}

async function rowsOf<T extends object>(
  { pool }: Pick<Database, 'pool'>,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  return (await pool.query<T>(text, values)).rows;
}

export const untilFolded = (database: Pick<Database, 'pool'>, log: EventLog) =>
  until(
    'the fold at the end of the log',
    async () => {
      const ends = await log.ends(INTAKE_TOPIC);
      const positions = await rowsOf<{ partition: number; next_offset: number }>(
        database,
        'select partition, next_offset from projection_positions',
      );
      return ends.every((end, p) => positions.some((at) => at.partition === p && at.next_offset === end));
    },
    CATCH_UP_MS_MAX,
  );

/** From the outputs themselves: a kill of PostgreSQL may take back the last note of `published_changes`. */
const untilPublished = (database: Database, log: EventLog) =>
  until(
    'the publishers at the end of the history',
    async () => {
      const folded = await rowsOf<{ partition: number; assets: number; findings: number }>(
        database,
        'select partition, asset_sequence as assets, finding_sequence as findings from projection_positions',
      );
      for (const { partition, assets, findings } of folded) {
        if ((await publishedOf(log, ASSETS_TOPIC, partition)) < assets) return false;
        if ((await publishedOf(log, FINDINGS_TOPIC, partition)) < findings) return false;
      }
      return true;
    },
    CATCH_UP_MS_MAX,
  );

const untilScored = (database: Database, log: EventLog) =>
  until(
    'the scorer at the end of the history, and its publishers',
    async () => {
      const scored = await rowsOf<{ partition: number; changes: number; is_done: boolean }>(
        database,
        `select partition, coalesce(s.sequence, 0) as changes,
                (s.asset_sequence, s.finding_sequence) is not distinct from (p.asset_sequence, p.finding_sequence) as is_done
           from projection_positions p left join scored_partitions s using (partition)`,
      );
      for (const { partition, changes, is_done } of scored) {
        if (!is_done || (await publishedOf(log, SCORES_TOPIC, partition)) < changes) return false;
      }
      return true;
    },
    CATCH_UP_MS_MAX,
  );

const publishedOf = async (log: EventLog, topic: ChangeTopic, partition: number): Promise<number> =>
  Number((await lastRecord(log, topic, partition))?.headers.sequence ?? 0);

/** Every acknowledged signal is in the fold exactly once, and nothing else is. */
export async function expectFoldedOnce(
  database: Pick<Database, 'pool'>,
  load: Pick<Load, 'acknowledged' | 'unknown' | 'erased'>,
): Promise<void> {
  const uploads = await rowsOf<{ id: string; seen: number; events: number; signals: number }>(
    database,
    `select upload_id as id, sum(seen) as seen, sum(event_count) as events, sum(signals) as signals
       from upload_progress group by upload_id`,
  );
  const byId = new Map(uploads.map(({ id, ...counts }) => [id, counts]));
  for (const { uploadId, signals } of load.acknowledged) {
    const counts = byId.get(uploadId);
    expect({ uploadId, ...counts }).toEqual({
      uploadId,
      seen: counts?.events,
      events: counts?.events,
      signals,
    });
  }

  const histories = await rowsOf<{ name: string; changes: number }>(
    database,
    `select name, count(*) as changes from findings join finding_history using (asset_no, finding_no)
      where name <> $1 group by asset_no, finding_no, name`,
    [SHARED_FINDING],
  );
  const acknowledged = new Set(load.acknowledged.flatMap(({ findings }) => findings));
  const unknown = new Set(load.unknown);
  const erased = new Set(load.erased);
  expect(histories.filter(({ name, changes }) => changes !== (erased.has(name) ? 2 : 1))).toEqual([]);
  const found = histories.map(({ name }) => name);
  expect(new Set(found).size).toBe(found.length);
  expect([...acknowledged].filter((name) => !found.includes(name))).toEqual([]);
  expect(found.filter((name) => !acknowledged.has(name) && !unknown.has(name))).toEqual([]);

  const touches = await rowsOf<{ upload: string; changes: number }>(
    database,
    `select cause ->> 'uploadId' as upload, count(*) as changes
       from findings join finding_history using (asset_no, finding_no) where name = $1 group by 1`,
    [SHARED_FINDING],
  );
  const sharing = load.acknowledged.filter(({ signals }) => signals > 1).map(({ uploadId }) => uploadId);
  expect(touches.map(({ upload, changes }) => `${upload} ${changes}`).sort()).toEqual(
    sharing.map((id) => `${id} 1`).sort(),
  );
}

/** Of each erased user the key is destroyed and listed, and no text is anywhere. */
async function expectErased(site: Site, load: Load, database: Database, log: EventLog): Promise<void> {
  const destroyed = () =>
    rowsOf<{ subject: string }>(
      database,
      'select subject from subject_keys where destroyed_at is not null and wrapped is null',
    );
  await until('the keys of erased users are destroyed', async () => {
    return (await destroyed()).length === load.erased.length;
  });
  const list = await readFile(join(site.directory, 'erasures.txt'), 'utf8');
  expect(list.split('\n').slice(0, -1).sort()).toEqual(
    (await destroyed()).map(({ subject }) => shortOf(subject)).sort(),
  );
  const traces = tracesOf([ERASED_MARKER]);
  expect((await topicsWithTraces(log, traces)).found).toEqual([]);
  expect(await tablesWithTraces(database.pool, traces)).toEqual([]);
  expect(await filesWithTraces(join(site.directory, 'kafka'), traces)).toEqual([]);
  expect(traces.in(site.said())).toEqual([]);
}

/** A read-committed reader of a change topic gets the history: each change once, in order. */
async function expectPublishedOnce(
  database: Database,
  log: EventLog,
  topic: keyof typeof CHANGES,
): Promise<void> {
  const kind = CHANGES[topic];
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const history = await rowsOf<{ sequence: number; log_offset: number; at: number }>(
      database,
      `select sequence, log_offset, at from ${kind}_history where partition = $1 order by sequence`,
      [partition],
    );
    const published: unknown[] = [];
    const ids = new Set<string>();
    for await (const records of log.read(topic, partition, 0, Number.MAX_SAFE_INTEGER)) {
      for (const { key, value, headers } of records) {
        const event = decodeChange(value);
        if (event.kind === 'score') throw new Error(`a score is on ${topic}`);
        const { changed } = event;
        const { sequence, at, position } = changed.change;
        expect([headers.sequence, key]).toEqual([`${sequence}`, changed.id]);
        ids.add(headers.ce_id!);
        published.push({ sequence, log_offset: position.offset, at });
      }
    }
    expect(published).toEqual(history);
    expect(ids.size).toBe(history.length);
  }
}

/** What such a reader gets of the scores is `score_changes`. */
async function expectScoresPublishedOnce(database: Database, log: EventLog): Promise<void> {
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const changes = await rowsOf<{ sequence: number; id: string; at: number; score: number | null }>(
      database,
      `select c.sequence, a.id, c.at, c.score from score_changes c join assets a using (asset_no)
        where c.partition = $1 order by c.sequence`,
      [partition],
    );
    const published: unknown[] = [];
    for await (const records of log.read(SCORES_TOPIC, partition, 0, Number.MAX_SAFE_INTEGER)) {
      for (const { key, value, headers } of records) {
        const event = decodeChange(value);
        if (event.kind !== 'score') throw new Error(`no score is on ${SCORES_TOPIC}`);
        const { score, at } = event.changed;
        const hundredths = score === null ? null : Math.round(score * 100);
        published.push({ sequence: Number(headers.sequence), id: key, at, score: hundredths });
      }
    }
    expect(published).toEqual(changes);
  }
}
