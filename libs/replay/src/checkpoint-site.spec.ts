import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { CURRENT_RULES, readingAt } from '#libs/domain';
import { type EventLog, KafkaEventLog, PostgresEventLog, RecordsGoneError } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import {
  ArchivedLog,
  type Checkpoint,
  CheckpointFile,
  type CheckpointTable,
  FileError,
  readExtent,
  writeCheckpoint,
  writeLogFile,
} from '#libs/log-archive';
import { FOLDED_TABLES } from '#libs/tables';
import { withTopics } from '../../../test/fixtures/event-log/kafka-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { describeKafka } from '../../../test/support/kafka.ts';
import { itInRun } from '../../../test/support/part-of-run.ts';
import { DAY_MS, signal, T0, upload } from '../../../test/support/scenario.ts';
import { KNOWS_SYNCED_PATHS, syncedPaths } from '../../../test/support/synced-paths.ts';
import { until } from '../../../test/support/until.ts';
import { LogFold } from './fold-log.ts';
import {
  ArchiveBusyError,
  archiveSite,
  CheckpointError,
  checkpointSite,
  replaySite,
  verifySite,
} from './index.ts';

const PARTITIONS = 3;
/** Of two partitions; the third has only its opening event. */
const HOSTS = ['web', 'db', 'mail', 'dns', 'ci', 'ldap', 'proxy'];

const EMPTY_CHECKPOINT = async function* (): AsyncGenerator<CheckpointTable> {};

/** @param test declares one, as `it` does */
function describeCheckpoints(
  name: string,
  logOf: (database: TestDatabase) => EventLog,
  test: (name: string, run: () => Promise<unknown>, timeoutMs?: number) => void,
): void {
  describe(`checkpoints and the archive on ${name}`, () => {
    let database: TestDatabase;
    let bare: EventLog;
    /** As every program opens it. */
    let log: EventLog;
    let folder: string;
    let archive: string;
    let uploads: number;
    beforeEach(async () => {
      database = await testDatabase();
      folder = await mkdtemp(join(tmpdir(), 'posture-checkpoint-'));
      archive = join(folder, 'archive');
      bare = logOf(database);
      log = new ArchivedLog(bare, { folder: archive });
      uploads = 0;
      await openLog(database.db, log, () => readingAt(T0));
    });
    afterEach(async () => {
      await log.close();
      await database.drop();
      await rm(folder, { recursive: true });
    });

    const live = () => ({ ...database, close: async () => {} });
    const options = () => ({ databaseUrl: database.url });
    const at = (file: string) => join(folder, file);
    const open = (file: string) => CheckpointFile.open(at(file));

    /** Every other upload changes what those before it said. */
    async function appendUpload(): Promise<void> {
      const day = uploads / HOSTS.length;
      for (const host of HOSTS) {
        uploads += 1;
        const signals = [
          signal('shared \\ "ü"\t\n', day % 2 === 0 ? 'fail' : 'pass'),
          signal(`finding ${day}`),
        ];
        const events = upload(uploads, T0 + day * DAY_MS, signals, { entityKey: `machine:${host}` });
        await log.append(
          INTAKE_TOPIC,
          events.map((event) => ({ key: event.envelope.entityKey, value: encodeIntake(event) })),
        );
      }
    }

    async function appendCorrupt(): Promise<void> {
      await log.append(INTAKE_TOPIC, [{ key: 'machine:web', value: Buffer.from([0, 0, 0, 0, 1, 255]) }]);
    }

    async function foldAll(): Promise<void> {
      await new LogFold(live(), log).allTo(await log.ends(INTAKE_TOPIC));
    }

    async function rowsOf(table: string): Promise<string[]> {
      const { rows } = await database.pool.query(`select t::text as row from ${table} t order by 1`);
      return rows.map(({ row }) => row);
    }
    const allRows = () => Promise.all(FOLDED_TABLES.map(({ name: table }) => rowsOf(table)));
    const harm = () =>
      database.pool.query(`update findings set state = 'Qualified'; delete from asset_history`);

    const checkpoint = async (file: string, from?: string) =>
      checkpointSite(live(), log, at(file), { ...options(), ...(from && { from: await open(from) }) });
    const replay = async (from?: string) =>
      replaySite(live(), log, { ...options(), ...(from && { from: await open(from) }) });
    const verify = async (from?: string) =>
      verifySite(live(), log, { ...options(), ...(from && { from: await open(from) }) });
    const archiveTo = async (file: string, on: EventLog = log) =>
      archiveSite(live(), on, await open(file), archive);

    async function exported(): Promise<Buffer> {
      const path = at(`export-${randomUUID()}`);
      await writeLogFile(log, await readExtent(log), createWriteStream(path));
      return readFile(path);
    }

    async function expectSameEveryWay(rows: string[][], from: string): Promise<void> {
      expect((await verify()).differing).toBe(0);
      expect(await verify(from)).toMatchObject({ differing: 0, positions: await log.ends(INTAKE_TOPIC) });
      await harm();
      expect((await verify(from)).differing).toBeGreaterThan(0);
      await replay(from);
      expect(await allRows()).toEqual(rows);
      await harm();
      await replay();
      expect(await allRows()).toEqual(rows);
    }

    test('represent all folded records: replay and verify from them give the same result as from offset 0', async () => {
      await appendUpload();
      await appendCorrupt();
      await appendUpload();
      const made = await checkpoint('one');
      expect(made.positions.map(({ next }) => next)).toEqual(await log.ends(INTAKE_TOPIC));
      expect(made.folded).toBe(made.records);
      expect((await stat(at('one'))).mode & 0o777).toBe(0o600);
      await appendUpload();
      await foldAll();
      const rows = await allRows();
      expect(rows.every((table, i) => table.length > 0 || FOLDED_TABLES[i]!.name !== 'quarantine')).toBe(
        true,
      );
      const total = (await log.ends(INTAKE_TOPIC)).reduce((sum, end) => sum + end, 0);
      expect((await replay('one')).records).toBe(total - made.records);
      await expectSameEveryWay(rows, 'one');
    });

    test('are the same file from wherever they were folded', async () => {
      await appendUpload();
      await checkpoint('first');
      await appendUpload();
      await appendUpload();
      const [whole, onwards] = [await checkpoint('whole'), await checkpoint('onwards', 'first')];
      expect(onwards).toEqual({ ...whole, folded: onwards.folded });
      expect(onwards.folded).toBe(2 * 2 * HOSTS.length);
      expect(await readFile(at('onwards'))).toEqual(await readFile(at('whole')));
    });

    test('let the log move to an archive that everything reads like the log', async () => {
      for (let i = 0; i < 3; i += 1) await appendUpload();
      const { positions } = await checkpoint('one');
      const targets = positions.map(({ next }) => next);
      await appendUpload();
      await foldAll();
      const [rows, file] = [await allRows(), await exported()];
      const archived = await archiveTo('one');
      const sum = targets.reduce((total, next) => total + next, 0);
      expect(archived).toEqual({ written: sum, removed: sum });
      expect(await bare.starts(INTAKE_TOPIC)).toEqual(targets);
      await expect(bare.read(INTAKE_TOPIC, 0, 0, 1)[Symbol.asyncIterator]().next()).rejects.toThrow(
        RecordsGoneError,
      );
      expect(await exported()).toEqual(file);
      expect(await openLog(database.db, log, () => readingAt(T0))).toEqual({
        logId: (await open('one')).logId,
      });
      await expectSameEveryWay(rows, 'one');

      // A second stretch goes after the first one.
      await appendUpload();
      await foldAll();
      await checkpoint('two', 'one');
      await checkpoint('two again');
      expect(await readFile(at('two again'))).toEqual(await readFile(at('two')));
      const before = await exported();
      expect(await archiveTo('two')).toMatchObject({ written: 2 * 2 * HOSTS.length });
      expect(await readdir(archive)).toHaveLength(PARTITIONS + 2);
      expect(await exported()).toEqual(before);
      await expectSameEveryWay(await allRows(), 'two');
      await appendUpload();
      await foldAll();
      await expectSameEveryWay(await allRows(), 'one');
    }, 60_000);

    test('archive nothing that the live tables have not folded', async () => {
      await appendUpload();
      await checkpoint('one');
      await expect(archiveTo('one')).rejects.toThrow(
        /one reaches partition 0, offset \d+, but the live tables are folded only up to 0: wait for the projector/,
      );
      expect(await bare.starts(INTAKE_TOPIC)).toEqual([0, 0, 0]);
      expect(await readdir(archive).catch(() => [])).toEqual([]);
      await expect(verify('one')).rejects.toThrow(CheckpointError);
    });

    test('archive without loss at any interruption, and resume when run again', async () => {
      for (let i = 0; i < 2; i += 1) await appendUpload();
      await checkpoint('one');
      await foldAll();
      const [rows, file] = [await allRows(), await exported()];
      let allowed = 0;
      /** Breaks at the n-th read or removal, before or after it is done. */
      const breaking = (n: number): EventLog => {
        allowed = n;
        const step = () => {
          if (allowed-- <= 0) throw new Error('broken off');
        };
        return Object.assign(Object.create(log) as EventLog, {
          read: (...given: Parameters<EventLog['read']>) => {
            step();
            return log.read(...given);
          },
          trim: async (...given: Parameters<EventLog['trim']>) => {
            step();
            await log.trim(...given);
            step();
          },
        });
      };
      let attempts = 0;
      for (let isDone = false; !isDone; attempts += 1) {
        isDone = await archiveTo('one', breaking(attempts)).then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe('broken off');
            return false;
          },
        );
        expect(await exported()).toEqual(file);
      }
      expect(attempts).toBeGreaterThan(5);
      expect((await readdir(archive)).filter((one) => one.endsWith('.unfinished'))).toEqual([]);
      expect(await bare.starts(INTAKE_TOPIC)).toEqual(await bare.ends(INTAKE_TOPIC));
      await expectSameEveryWay(rows, 'one');
    }, 60_000);

    test('remove no record before the folders of the archive are on the disk', async () => {
      await appendUpload();
      await checkpoint('one');
      await foldAll();
      archive = join(await realpath(folder), 'new', 'archive');
      const expected = [dirname(dirname(archive)), dirname(archive), archive];
      const synced = KNOWS_SYNCED_PATHS ? await syncedPaths() : expected;
      const missing: string[][] = [];
      const watched = Object.assign(Object.create(log) as EventLog, {
        trim: async (...given: Parameters<EventLog['trim']>) => {
          missing.push(expected.filter((path) => !synced.includes(path)));
          await log.trim(...given);
        },
      });
      await archiveTo('one', watched).finally(() => jest.restoreAllMocks());
      expect(missing).toEqual(missing.map(() => []));
      expect(missing.length).toBeGreaterThan(0);
    });

    test('leave the live tables as they are if a replay from one is interrupted', async () => {
      await appendUpload();
      await checkpoint('one');
      await appendUpload();
      await foldAll();
      await harm();
      const before = await allRows();
      const breaking = Object.assign(Object.create(log) as EventLog, {
        read: (...given: Parameters<EventLog['read']>) => {
          // The check of the checkpoint reads one record; the fold reads the following ones.
          if (given[3] - given[2] > 1) throw new Error('broken off');
          return log.read(...given);
        },
      });
      await expect(replaySite(live(), breaking, { ...options(), from: await open('one') })).rejects.toThrow(
        'broken off',
      );
      expect(await allRows()).toEqual(before);
      await replay('one');
      expect((await verify()).differing).toBe(0);
    });

    test('are rejected if they are damaged, truncated or another kind of file, and nothing is changed', async () => {
      await appendUpload();
      await foldAll();
      await checkpoint('one');
      const before = await allRows();
      const bytes = await readFile(at('one'));
      const middle = Buffer.from(bytes);
      middle[bytes.length >> 1]! ^= 4;
      for (const [content, sentence] of [
        [middle, /bad is damaged (in its header|in table \w+|at its end): /],
        [bytes.subarray(0, bytes.length - 50), /bad is damaged/],
        [bytes.subarray(0, 30), /bad is cut off at byte 30/],
        [Buffer.from('POSTURE-CHECKPOINT 3\n'), /bad has format version 3 \(byte 19\), .* reads 2: use the/],
        [
          Buffer.from('POSTURE-CHECKPOINT 1\n'),
          /format version 1 .* reads 2: create a new one with `posture checkpoint/,
        ],
        [Buffer.from('POSTURE-LOG 1\n'), /bad is not a file of `posture checkpoint`: .*at byte 0/],
      ] as const) {
        await writeFile(at('bad'), content);
        for (const use of [replay, verify]) {
          await expect(use('bad')).rejects.toThrow(FileError);
          await expect(use('bad')).rejects.toThrow(sentence);
        }
      }
      expect(await allRows()).toEqual(before);
    });

    test('are rejected if they do not belong to this log, these rules or these tables', async () => {
      await appendUpload();
      await foldAll();
      await checkpoint('one');
      const { logId, rules, tables, positions } = await open('one');
      expect([rules, tables]).toEqual([CURRENT_RULES, expect.stringMatching(/^\d{4}_.*\.sql$/)]);
      const [first, ...rest] = positions as [(typeof positions)[0], ...typeof positions];
      const cases: [Partial<Checkpoint>, RegExp][] = [
        [{ logId: randomUUID() }, /is a checkpoint of log \S+, but this is log /],
        [
          { rules: 99 },
          /was folded with rules 99, but the current rules are \d+: create a new one with `posture checkpoint`/,
        ],
        [
          { tables: '0001_pipeline.sql' },
          /contains the tables of migration 0001_pipeline\.sql, but .*create a new/,
        ],
        [{ positions: rest }, /has 2 partitions, but the log has 3/],
        [
          { positions: [{ ...first, next: first.next + 1 }, ...rest] },
          /reaches partition 0, offset \d+, but the log ends at \d+/,
        ],
        [
          { positions: [{ ...first, head: Buffer.alloc(32, 7) }, ...rest] },
          /was not made from the records of this log: the chain of partition 0 differs at offset \d+$/,
        ],
      ];
      for (const [given, sentence] of cases) {
        await rm(at('other'), { force: true });
        await writeCheckpoint(at('other'), { logId, rules, tables, positions, ...given }, EMPTY_CHECKPOINT());
        await expect(replay('other')).rejects.toThrow(CheckpointError);
        await expect(replay('other')).rejects.toThrow(sentence);
      }
      await rm(at('other'));
      await writeCheckpoint(at('other'), { logId, rules, tables, positions }, EMPTY_CHECKPOINT());
      await expect(replay('other')).rejects.toThrow(/other lacks the tables projection_positions, assets/);
      expect((await verify()).differing).toBe(0);
    });

    test('find a record that was changed far before them if the whole chain is checked', async () => {
      await appendUpload();
      await foldAll();
      await checkpoint('one');
      const from = await open('one');
      const changed = Object.assign(Object.create(log) as EventLog, {
        read: async function* (...given: Parameters<EventLog['read']>) {
          for await (const records of log.read(...given)) {
            yield records.map((one) => (one.offset === 2 ? { ...one, key: `${one.key}!` } : one));
          }
        },
      });
      const checked: number[] = [];
      const checking = { ...options(), from, checkChain: true, onChecked: (n: number) => checked.push(n) };
      await expect(verifySite(live(), changed, checking)).rejects.toThrow(
        /the chain of partition 0 differs at offsets 0 to \d+$/,
      );
      expect((await verifySite(live(), log, checking)).differing).toBe(0);
      expect(checked.at(-1)).toBe(from.records);
    });

    test('report the missing records if the archive is not available', async () => {
      await appendUpload();
      await foldAll();
      await checkpoint('one');
      await archiveTo('one');
      const elsewhere = new ArchivedLog(bare, { folder: at('elsewhere') });
      const sentence =
        /^the log begins at partition \d, offset \d+, and offset 0 is in no segment of \S+elsewhere: set LOG_ARCHIVE to the directory/;
      await expect(verifySite(live(), elsewhere, options())).rejects.toThrow(sentence);
      await expect(openLog(database.db, elsewhere, () => readingAt(T0))).rejects.toThrow(sentence);
      // A checkpoint needs none of it.
      const from = await open('one');
      expect((await verifySite(live(), elsewhere, { ...options(), from })).differing).toBe(0);
      const segment = join(archive, (await readdir(archive)).sort()[0]!);
      const bytes = await readFile(segment);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(segment, bytes);
      await expect(verify()).rejects.toThrow(/archive\/0000-\d+-\d+\.posture-segment is damaged /);
    });

    test('archive one at a time', async () => {
      await appendUpload();
      await foldAll();
      await checkpoint('one');
      const other = await database.pool.connect();
      await other.query('select pg_advisory_lock(7305003)');
      await expect(archiveTo('one')).rejects.toThrow(ArchiveBusyError);
      other.release(true);
      await until('the end of the other', () =>
        archiveTo('one').then(
          () => true,
          (error) => {
            expect(error).toBeInstanceOf(ArchiveBusyError);
            return false;
          },
        ),
      );
    });
  });
}

describeCheckpoints('Postgres', ({ url }) => new PostgresEventLog({ url, partitions: PARTITIONS }), it);

describeKafka('Kafka', (brokers) => {
  const logOf = (): EventLog => {
    const log = withTopics(new KafkaEventLog({ brokers: [brokers()], partitions: PARTITIONS }), brokers());
    const own = `.${randomUUID()}`;
    // The brokers are one a run: a topic of the product's name is others' too.
    return {
      partitions: PARTITIONS,
      append: (topic, records) => log.append(topic + own, records),
      consume: (topic, ...rest) => log.consume(topic + own, ...rest),
      publisher: (topic, ...rest) => log.publisher(topic + own, ...rest),
      read: (topic, ...rest) => log.read(topic + own, ...rest),
      assertAppendable: () => log.assertAppendable(),
      starts: (topic) => log.starts(topic + own),
      ends: (topic) => log.ends(topic + own),
      trim: (topic, ...rest) => log.trim(topic + own, ...rest),
      close: () => log.close(),
    };
  };
  // Both logs pass the same contract (test/contracts), so that each run repeats only a third here.
  describeCheckpoints('Kafka', logOf, (...test) => itInRun(3, ...test));
});
