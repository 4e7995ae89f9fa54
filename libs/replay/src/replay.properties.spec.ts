import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeIntake, parseSignal } from '#libs/contracts';
import { DEFAULT_SETTINGS, readingAt, readSignal, type Signal } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { emptyFolded, foldedRows } from '../../../test/support/folded-rows.ts';
import { type LoggedEvent, trimmedHistories } from '../../../test/support/histories.ts';
import { runs } from '../../../test/support/long-run.ts';
import { event, T0, uploadId } from '../../../test/support/scenario.ts';
import { signalArbitrary } from '../../../test/support/signal-arbitrary.ts';
import { LogFold } from './fold-log.ts';
import { replaySite, verifySite } from './index.ts';

const PARTITIONS = 2;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function empty(): Promise<void> {
  await emptyFolded(database);
  await database.pool.query('truncate log_records, log_ends, log_identity');
}

/** A log with the history, a corrupt record after each named event, folded in batches of the given sizes. */
async function withSite(
  events: LoggedEvent[],
  corruptBehind: ReadonlySet<number>,
  batches: Iterator<number>,
  work: (log: PostgresEventLog) => Promise<void>,
): Promise<void> {
  const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  try {
    await openLog(database.db, log, () => readingAt(T0));
    const records = events.flatMap(({ partition, event }, i) => {
      const record = { partition, key: event.envelope.entityKey, value: encodeIntake(event) };
      return corruptBehind.has(i) ? [record, { ...record, value: record.value.subarray(0, -1) }] : [record];
    });
    await log.append(INTAKE_TOPIC, records);
    const projection = new Projection(database.db);
    for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries()) {
      let next = await projection.open(partition);
      while (next < end) {
        const to = Math.min(end, next + (batches.next().value as number));
        for await (const read of log.read(INTAKE_TOPIC, partition, next, to))
          next = await projection.project(read);
      }
    }
    await work(log);
  } finally {
    await log.close();
  }
}

/** So that the limit of the bulk fold is within a history. */
function inSmallBatches(log: PostgresEventLog): Pick<PostgresEventLog, 'read'> {
  return {
    read: async function* (...range) {
      for await (const records of log.read(...range)) {
        for (let i = 0; i < records.length; i += 3) yield records.slice(i, i + 3);
      }
    },
  };
}

/** Uploads of one signal each, only ones that the edge accepts. */
function uploadsOf(signals: Signal[]): LoggedEvent[] {
  return signals.flatMap((signal, i) => {
    const parsed = parseSignal(Buffer.from(JSON.stringify(signal)));
    const read = parsed.ok ? readSignal(parsed.signal, { ...CONTEXT, receivedAt: T0 + i }) : parsed;
    if (!read.ok) return [];
    const { entityKey, payload } = read;
    return [{ partition: 0, event: event(payload, T0 + i, { uploadId: uploadId(i) }, { entityKey }) }];
  });
}

const CONTEXT = {
  route: 'zip' as const,
  rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
  settings: DEFAULT_SETTINGS,
};

describe('over generated histories of every kind of event, on a log in PostgreSQL', () => {
  it('verify finds no difference, and replay gives the same rows as the projector, in bulk up to any limit', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          trimmedHistories,
          fc.array(fc.nat(60), { maxLength: 2 }),
          fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
          fc.integer({ min: 0, max: 40_000 }),
          async (events, corrupt, batches, bulkBytesMax) => {
            await withSite(events, new Set(corrupt), batches, async (log) => {
              const live = { ...database, close: async () => {} };
              const rows = await foldedRows(database);
              const verified = await verifySite(live, log, { databaseUrl: database.url });
              expect(verified.differences).toEqual([]);
              expect(verified).toMatchObject({ rows: rows.length, differing: 0 });
              await replaySite(live, log, { databaseUrl: database.url });
              expect(await foldedRows(database)).toEqual(rows);
              await emptyFolded(database);
              const fold = new LogFold(live, inSmallBatches(log), { bulkBytesMax });
              await fold.allTo(await log.ends(INTAKE_TOPIC));
              expect(await foldedRows(database)).toEqual(rows);
            });
          },
        )
        .beforeEach(empty),
      { numRuns: runs(10) },
    );
  }, 90_000);

  it('the tables accept every signal that the edge accepts, and verify and replay give the same result', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(signalArbitrary, { minLength: 20, maxLength: 40 }),
          fc.infiniteStream(fc.integer({ min: 10, max: 20 })),
          async (signals, batches) => {
            await withSite(uploadsOf(signals), new Set(), batches, async (log) => {
              const live = { ...database, close: async () => {} };
              const rows = await foldedRows(database);
              const { differences } = await verifySite(live, log, { databaseUrl: database.url });
              expect(differences).toEqual([]);
              await replaySite(live, log, { databaseUrl: database.url });
              expect(await foldedRows(database)).toEqual(rows);
            });
          },
        )
        .beforeEach(empty),
      { numRuns: runs(10) },
    );
  }, 90_000);
});
