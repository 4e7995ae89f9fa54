import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeIntake, partitionOf } from '#libs/contracts';
import { isoTime, readingAt } from '#libs/domain';
import { PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC, markImport, openLog } from '#libs/intake';
import { sealedKey } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { signal, T0, upload, uploadId } from '../../../../test/support/scenario.ts';
import { runPosture } from '../posture.ts';

const PARTITIONS = 3;
const KEYS = Array.from({ length: 12 }, (_, i) => `machine:host${i}`);
const MINUTE_MS = 60_000;

let site: TestDatabase;
let dir: string;
let spares: TestDatabase[];

beforeAll(async () => {
  site = await testDatabase();
  await withLog(site, async (log) => {
    await openLog(site.db, log, () => readingAt(T0));
    for (const [n, entityKey] of KEYS.entries()) {
      const events = upload(n % 3, T0 + n * MINUTE_MS, [signal(`a${n}`), signal(`b${n}`)], { entityKey });
      await log.append(
        INTAKE_TOPIC,
        events.map((event) => ({ key: entityKey, value: encodeIntake(event), headers: { n: `${n}` } })),
      );
    }
    await log.append(INTAKE_TOPIC, [{ key: KEYS[0]!, value: Buffer.from([0, 0, 0, 0, 1, 255]) }]);
  });
});
afterAll(() => site.drop());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-log-'));
  spares = [];
});
afterEach(async () => {
  await Promise.all(spares.map((database) => database.drop()));
  await rm(dir, { recursive: true });
});

async function withLog<T>({ url }: TestDatabase, work: (log: PostgresEventLog) => Promise<T>): Promise<T> {
  const log = new PostgresEventLog({ url, partitions: PARTITIONS });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/** Without the time of storage, which is the log's own. */
const contents = (database: TestDatabase) =>
  withLog(database, async (log) => {
    const records: Omit<StoredRecord, 'storedAt'>[] = [];
    for (let partition = 0; partition < PARTITIONS; partition++) {
      for await (const batch of log.read(INTAKE_TOPIC, partition, 0, Number.MAX_SAFE_INTEGER)) {
        records.push(...batch.map(({ storedAt: _, ...record }) => record));
      }
    }
    return records;
  });

async function spare(): Promise<TestDatabase> {
  const database = await testDatabase();
  spares.push(database);
  return database;
}

async function run(database: Pick<TestDatabase, 'url'>, args: string[], more: Record<string, string> = {}) {
  const terminal = recordingTerminal({ DATABASE_URL: database.url, ...more });
  const exitCode = await runPosture(args, terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

async function lines(...args: string[]): Promise<Record<string, unknown>[]> {
  const { exitCode, out, err } = await run(site, ['log', ...args]);
  expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Reading: /)]);
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('posture log', () => {
  it('prints every record as a line, by partition and in the order of offsets', async () => {
    const all = await lines();
    const ends = await withLog(site, (log) => log.ends(INTAKE_TOPIC));
    expect(all.map(({ partition, offset }) => [partition, offset])).toEqual(
      ends.flatMap((end, partition) => Array.from({ length: end }, (_, offset) => [partition, offset])),
    );
    expect(all[0]).toMatchObject({
      at: '2026-01-01T00:00:00.000Z',
      type: 'LogOpened',
      entityKey: 'org:settings',
      uploadId: null,
    });
  });

  it('reads one entity, only from its partition, with payloads on request', async () => {
    const { out, err } = await run(site, ['log', '--entity', KEYS[4]!, '--full']);
    const own = out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(own.map(({ payload }) => payload.name)).toEqual(['a4', 'b4']);
    expect(own[0]).toMatchObject({
      partition: partitionOf(KEYS[4]!, PARTITIONS),
      at: new Date(T0 + 4 * MINUTE_MS).toISOString(),
      type: 'SignalReceived',
      entityKey: KEYS[4],
      uploadId: uploadId(1),
      user: 'ana',
      cause: { ordinal: 1, count: 2 },
    });
    const end = (await withLog(site, (log) => log.ends(INTAKE_TOPIC)))[partitionOf(KEYS[4]!, PARTITIONS)];
    expect(err).toMatch(new RegExp(`^Reading: ${end} records\n.*Reading: \\d+ a second\n$`, 's'));
  });

  it('reads one entity by its name in any case, also if it is sealed', async () => {
    const [other, secret] = [await spare(), 'k'.repeat(32)];
    const keys = new SubjectKeys(other.db, new Vault([Buffer.from(secret)]));
    const ana = (await keys.obtain(['user:ana'])).get('user:ana')!;
    const sealed = sealedKey(ana.subject);
    await withLog(other, async (log) => {
      await openLog(other.db, log, () => readingAt(T0));
      for (const entityKey of ['user:ana', 'machine:web01', sealed]) {
        const [event] = upload(1, T0, [signal('a')], { entityKey });
        await log.append(INTAKE_TOPIC, [{ key: entityKey, value: encodeIntake(event!) }]);
      }
    });
    const keysOf = async (entity: string) => {
      const { out } = await run(other, ['log', '--entity', entity], { POSTURE_SECRET_KEY: secret });
      return out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).entityKey)
        .sort();
    };
    expect(await keysOf('user:Ana')).toEqual(['user:ana', sealed]);
    expect(await keysOf(sealed)).toEqual([sealed]);
    expect(await keysOf('Machine:WEB01.example.com')).toEqual(['machine:web01']);
    // Without its secret, it is not known whether the log has records of a name.
    expect(await run(other, ['log', '--entity', 'user:ben'], { DATA_DIR: dir })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('encrypted names cannot be searched'),
    });
  });

  it.each([
    ['web01', /no record of web01 was found\n.*machine:NAME or user:NAME/],
    ['machine:mial01', /no record of machine:mial01 was found\n$/],
  ])('reports an entity without records, with exit 1: %s', async (entity, err) => {
    const env = { POSTURE_SECRET_KEY: 'k'.repeat(32) };
    expect(await run(site, ['log', '--entity', entity], env)).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(err),
    });
    const later = ['--from', new Date(T0 + 1_000 * MINUTE_MS).toISOString()];
    expect(await run(site, ['log', '--entity', entity, ...later], env)).toMatchObject({
      exitCode: 0,
      out: '',
    });
  });

  it('reads one upload, a span of time, and positions', async () => {
    const isReadable = ({ problem }: Record<string, unknown>) => problem === undefined;
    const ofUpload = (await lines('--upload', uploadId(2))).filter(isReadable);
    expect(ofUpload.map(({ entityKey }) => entityKey).sort()).toEqual(
      KEYS.filter((_, n) => n % 3 === 2)
        .flatMap((key) => [key, key])
        .sort(),
    );
    const inTime = await lines('--from', '2026-01-01T00:03:00Z', '--to', '2026-01-01T01:05:00+01:00');
    expect(
      new Set(
        inTime
          .filter(isReadable)
          .map(({ entityKey }) => entityKey)
          .sort(),
      ),
    ).toEqual(new Set([KEYS[3], KEYS[4]]));
    const positions = await lines('--partition', '1', '--offset', '1..3');
    expect(positions.map(({ partition, offset }) => [partition, offset])).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(await lines('--partition', '1', '--offset', '100000..')).toEqual([]);
  });

  it('reads one upload by its id in any case, and reports one without records, with exit 1', async () => {
    const other = await spare();
    const [own, unknown] = [randomUUID(), randomUUID()];
    await withLog(other, async (log) => {
      await openLog(other.db, log, () => readingAt(T0));
      const event = upload(1, T0, [signal('a')])[0]!;
      event.envelope.cause.uploadId = own;
      await log.append(INTAKE_TOPIC, [{ key: KEYS[0]!, value: encodeIntake(event) }]);
    });
    const found = await run(other, ['log', '--upload', own.toUpperCase()]);
    expect(found.exitCode).toBe(0);
    expect(JSON.parse(found.out)).toMatchObject({ uploadId: own });
    expect(await run(other, ['log', '--upload', unknown])).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining(`no record of upload ${unknown} was found`),
    });
    const another = `${(partitionOf(KEYS[0]!, PARTITIONS) + 1) % PARTITIONS}`;
    for (const limit of [
      ['--from', isoTime(T0 + MINUTE_MS)],
      ['--partition', another],
    ]) {
      expect(await run(other, ['log', '--upload', own, ...limit])).toMatchObject({ exitCode: 0, out: '' });
    }
    const elsewhere = ['--entity', 'machine:mial01', '--upload', own];
    expect(await run(other, ['log', ...elsewhere], { POSTURE_SECRET_KEY: 'k'.repeat(32) })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`no record of machine:mial01 in upload ${own} was found`),
    });
  });

  it('shows a record that cannot be read with its problem', async () => {
    const corrupt = (await lines('--upload', uploadId(0))).filter(({ problem }) => problem !== undefined);
    expect(corrupt).toEqual([
      {
        partition: partitionOf(KEYS[0]!, PARTITIONS),
        offset: expect.any(Number),
        storedAt: expect.any(String),
        entityKey: KEYS[0],
        problem: expect.stringContaining('does not decode'),
      },
    ]);
  });

  it('ends quietly if the reader closes the pipe', async () => {
    const terminal = recordingTerminal({ DATABASE_URL: site.url });
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    expect(await runPosture(['log'], { ...terminal, stdout: closed })).toBe(0);
    expect(terminal.err()).not.toContain('posture:');
  });

  it.each([
    [['--from', 'yesterday'], /Expected an ISO 8601 time/],
    [['--to', '2026-01-01'], /Expected an ISO 8601 time/],
    [['--upload', '4e8a'], /Expected a UUID/],
    [['--offset', '5..5'], /Expected offsets/],
    [['--offset', '..'], /Expected offsets/],
    [['--partition', '3'], /partition 3 does not exist: this log has partitions 0 to 2/],
    [
      ['--entity', KEYS[0]!, '--partition', `${(partitionOf(KEYS[0]!, PARTITIONS) + 1) % PARTITIONS}`],
      /are in partition/,
    ],
  ])('exits 2 on %j', async (args, expected) => {
    const { exitCode, out, err } = await run(site, ['log', ...args]);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(expected);
  });
});

describe('commands that borrow the database', () => {
  const inFile = async () => {
    await writeFile(join(dir, 'url'), site.url);
    return { DATABASE_URL: '', DATABASE_URL_FILE: join(dir, 'url') };
  };
  const inTwoVariables = async () => {
    const url = new URL(site.url);
    const { password } = url;
    url.password = '';
    return { DATABASE_URL: url.href, DATABASE_PASSWORD: decodeURIComponent(password) };
  };

  it.each([
    ['a file', inFile],
    ['two variables', inTwoVariables],
  ])('read its URL and password from %s (R-CFG-7)', async (_from, environment) => {
    const env = await environment();
    for (const command of [
      ['log'],
      ['export-log', join(dir, 'exported')],
      ['backup', join(dir, 'backup')],
      ['as-of', '2026-01-01T00:01:00Z'],
    ]) {
      const { exitCode, err } = await run(site, command, env);
      expect([command, exitCode, err]).toEqual([command, 0, expect.any(String)]);
    }
  });
});

describe('posture export-log and import-log', () => {
  const exported = async (name = 'site.posture-log'): Promise<string> => {
    const path = join(dir, name);
    const result = await run(site, ['export-log', path]);
    expect(result).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Exported {3}28 records of log /),
    });
    return path;
  };

  it('bring a log to another database with every position, key, value and header', async () => {
    const path = await exported();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).toEqual(['site.posture-log']);
    const other = await spare();
    const { exitCode, out, err } = await run(other, ['import-log', path]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^Imported {3}28 records of log \S+, 3 partitions\nStart {6}the service with LOG_PARTITIONS=3/,
    );
    expect(err).toMatch(/Checking: 28 records.*Importing: 28 of 28 records/s);
    expect(await contents(other)).toEqual(await contents(site));
    const copy = join(dir, 'copy');
    expect(await run(other, ['export-log', copy])).toMatchObject({ exitCode: 0 });
    const { logId } = await withLog(site, (log) => openLog(site.db, log, () => readingAt(T0)));
    expect(await withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)))).toEqual({ logId });

    const again = await run(other, ['import-log', path]);
    expect(again).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Imported {3}0 records .* 28 were already present/),
    });
    expect(await contents(other)).toEqual(await contents(site));
  });

  it('resume an interrupted import', async () => {
    const path = await exported();
    const other = await spare();
    await withLog(other, async (log) => {
      const first = (await contents(site)).filter(({ partition, offset }) => partition === 0 || offset === 0);
      await log.append(INTAKE_TOPIC, first);
    });
    const { exitCode, out } = await run(other, ['import-log', path]);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/; \d+ were already present\n/)]);
    expect(await contents(other)).toEqual(await contents(site));
  });

  it('let no program start and no command work on a part of a log, until the same command has resumed', async () => {
    const path = await exported();
    const other = await spare();
    await withLog(other, async (log) => {
      await log.append(
        INTAKE_TOPIC,
        (await contents(site)).filter(({ partition }) => partition === 0),
      );
    });
    await other.pool.query(
      `create function fail() returns trigger language plpgsql as $$
         begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$;
       create trigger fail before insert on log_records for each row execute function fail()`,
    );
    expect(await run(other, ['import-log', path])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No space left on device'),
    });
    await other.pool.query('drop function fail cascade');
    const part = await contents(other);
    const open = () => withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)));
    await expect(open()).rejects.toThrow(/`posture import-log` .* was interrupted, run the same command/);
    for (const command of [['export-log', join(dir, 'part')], ['log'], ['verify']]) {
      const { exitCode, err } = await run(other, command);
      expect([command, exitCode, err]).toEqual([command, 1, expect.stringMatching(/was interrupted/)]);
    }
    const identity = { log_id: uploadId(1), partitions: PARTITIONS };
    await other.db.insertInto('log_identity').values(identity).execute();
    expect(await run(other, ['log'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('was interrupted'),
    });
    await other.db.deleteFrom('log_identity').execute();
    expect(await contents(other)).toEqual(part);

    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
    expect(await contents(other)).toEqual(await contents(site));
    await open();
    expect(await run(other, ['log'])).toMatchObject({ exitCode: 0 });
  });

  it('leave the log in the database usable, if a move to Kafka is given up', async () => {
    const [path, other] = [await exported(), await spare()];
    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
    await markImport(other.db, await withLog(other, (log) => log.ends(INTAKE_TOPIC)));
    expect(await run(other, ['export-log', join(dir, 'again')])).toMatchObject({ exitCode: 0 });
    await withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)));
  });

  it('reject a new database with a log whose changes were published, of which it would skip as many', async () => {
    const [path, other] = [await exported(), await spare()];
    const publish = () =>
      withLog(other, (log) =>
        log.append('posture.findings', [{ key: 'k', value: Buffer.of(), partition: 1 }]),
      );
    await publish();
    expect(await run(other, ['import-log', path])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('partition 1 of posture.findings ends at offset 1. Use a new log'),
    });
    expect(await contents(other)).toEqual([]);
    await other.pool.query(`delete from log_records; delete from log_ends`);
    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
    // The database of the log that was lost.
    await other.pool.query('delete from log_records; delete from log_ends');
    await publish();
    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
  });

  it('let publishers fill the topics of the new log, and forget no topic that has records', async () => {
    const [path, other] = [await exported(), await spare()];
    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
    // As a move leaves it: the database knows what the topics of the former log have.
    await other.pool.query(
      `delete from log_records; delete from log_ends;
       insert into published_changes (topic, partition, sequence)
       values ('posture.findings', 0, 4), ('posture.findings', 1, 7), ('posture.scores', 2, 9)`,
    );
    await withLog(other, (log) =>
      log.append('posture.findings', [{ key: 'k', value: Buffer.of(), partition: 1 }]),
    );
    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
    const { rows } = await other.pool.query('select topic, partition, sequence from published_changes');
    expect(rows).toEqual([{ topic: 'posture.findings', partition: 1, sequence: 7 }]);
  });

  it('write the same bytes to standard output as to a file', async () => {
    const chunks: Buffer[] = [];
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    const terminal = recordingTerminal({ DATABASE_URL: site.url });
    expect(await runPosture(['export-log', '-'], { ...terminal, stdout })).toBe(0);
    expect(terminal.err()).toContain('Exported   28 records');
    expect(Buffer.concat(chunks)).toEqual(await readFile(await exported()));
  });

  it('reject a damaged, truncated, newer or foreign file with exit 2, and do not change the site', async () => {
    const bytes = await readFile(await exported());
    const damaged = Buffer.from(bytes);
    damaged[bytes.length >> 1]! ^= 16;
    const other = await spare();
    for (const [content, expected] of [
      [damaged, /bad is damaged/],
      [bytes.subarray(0, bytes.length - 40), /bad is damaged/],
      [Buffer.concat([Buffer.from('POSTURE-LOG 3\n'), bytes.subarray(14)]), /bad has format version 3/],
      [Buffer.from('{"some": "json"}'), /bad is not a file of `posture export-log`: .* at byte 0/],
      [Buffer.alloc(0), /bad is not a file of/],
    ] as const) {
      await writeFile(join(dir, 'bad'), content);
      const { exitCode, out, err } = await run(other, ['import-log', join(dir, 'bad')]);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toMatch(expected);
    }
    const missing = await run(other, ['import-log', join(dir, 'missing')]);
    expect(missing).toMatchObject({ exitCode: 2, err: expect.stringContaining('missing (ENOENT)') });
    expect(await run(other, ['import-log', dir])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is a directory'),
    });
    expect(await contents(other)).toEqual([]);
  });

  it('reject another site, a site with later records, and a site with another number of partitions', async () => {
    const path = await exported();
    const other = await spare();
    expect(await run(other, ['import-log', path], { LOG_PARTITIONS: '5' })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('has 3 partitions, but LOG_PARTITIONS is 5'),
    });
    await withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)));
    const before = await contents(other);
    expect(await run(other, ['import-log', path])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('but the file contains log'),
    });
    expect(await contents(other)).toEqual(before);

    // Of an earlier version: it stays so, because that version rejects a database that was migrated.
    const { rows: newest } = await other.pool.query(
      'delete from migrations where number = (select max(number) from migrations) returning number',
    );
    expect(await run(other, ['import-log', path])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('but the file contains log'),
    });
    const { rows } = await other.pool.query('select max(number) + 1 as number from migrations');
    expect(rows).toEqual(newest);

    const further = await spare();
    await further.db.insertInto('projection_positions').values({ partition: 1, next_offset: 500 }).execute();
    expect(await run(further, ['import-log', path])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('folded up to partition 1, offset 500'),
    });
    expect(await contents(further)).toEqual([]);
  });

  it('reject a move if the log has changed since the export', async () => {
    const path = await exported();
    const other = await spare();
    expect(await run(other, ['import-log', path])).toMatchObject({ exitCode: 0 });
    await withLog(other, (log) => log.append(INTAKE_TOPIC, [{ key: KEYS[0]!, value: Buffer.from('late') }]));
    // No broker answers there: it is refused before any is asked.
    const refused = await run(other, ['import-log', path], { KAFKA_BROKERS: '127.0.0.1:1' });
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toMatch(
      /the log in the database extends to partition \d, offset \d+, but the file ends/,
    );
  });

  it('reject an export of a log with a gap, over a file, or without a site, and leave no file', async () => {
    const path = await exported();
    expect(await run(site, ['export-log', path])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('already exists'),
    });
    const holed = await spare();
    expect(await run(holed, ['import-log', path])).toMatchObject({ exitCode: 0 });
    await withLog(holed, (log) => openLog(holed.db, log, () => readingAt(T0)));
    await holed.pool.query('delete from log_records where partition = 1 and "offset" = 2');
    const refused = await run(holed, ['export-log', join(dir, 'holed')]);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain('the log has a hole: partition 1, offset 2 is missing');
    expect(await run(holed, ['log'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('the log has a hole: partition 1, offset 2 is missing'),
    });
    expect(await run(await spare(), ['export-log', join(dir, 'none')])).toMatchObject({ exitCode: 2 });
    const nowhere = { DATABASE_URL: '', DATA_DIR: join(dir, 'data') };
    expect(await run(site, ['export-log', join(dir, 'none')], nowhere)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no service has run on DATA_DIR'),
    });
    expect(await readdir(dir)).toEqual(['site.posture-log']);
  });
});
