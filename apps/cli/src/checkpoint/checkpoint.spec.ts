import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { openDatabase } from '#libs/database';
import { readingAt } from '#libs/domain';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { CheckpointFile } from '#libs/log-archive';
import { archiveSite } from '#libs/replay';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { signal, T0, upload } from '../../../../test/support/scenario.ts';
import { until } from '../../../../test/support/until.ts';
import { runPosture } from '../posture.ts';

const PARTITIONS = 2;
const KEYS = Array.from({ length: 8 }, (_, i) => `machine:host${i}`);

/** In order: each uses the result of the previous one. */
describe('posture checkpoint, replay --from, verify --from and archive', () => {
  let site: TestDatabase;
  let dir: string;
  let count = 0;

  beforeAll(async () => {
    site = await testDatabase();
    dir = await mkdtemp(join(tmpdir(), 'posture-checkpoint-'));
    await withLog((log) => openLog(site.db, log, () => readingAt(T0)));
    await append();
  });
  afterAll(async () => {
    await site.drop();
    await rm(dir, { recursive: true });
  });

  async function withLog<T>(work: (log: PostgresEventLog) => Promise<T>): Promise<T> {
    const log = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
    try {
      return await work(log);
    } finally {
      await log.close();
    }
  }

  const append = () =>
    withLog(async (log) => {
      for (const entityKey of KEYS) {
        count += 1;
        const events = upload(count, T0 + count, [signal(`a${count}`), signal('b')], { entityKey });
        await log.append(
          INTAKE_TOPIC,
          events.map((event) => ({ key: entityKey, value: encodeIntake(event) })),
        );
      }
    });

  const at = (name: string) => join(dir, name);

  /** The log loses the records of partition 0, and not those of partition 1. */
  async function interruptArchive(): Promise<void> {
    const live = openDatabase(site.url, { max: 2 });
    await withLog(async (log) => {
      const failing: EventLog = Object.assign(Object.create(log), {
        trim: (...args: Parameters<EventLog['trim']>) =>
          args[1] === 0 ? log.trim(...args) : Promise.reject(new Error('killed')),
      });
      const archiving = archiveSite(live, failing, await CheckpointFile.open(at('one')), at('archive'));
      await expect(archiving).rejects.toThrow('killed');
    }).finally(() => live.close());
  }

  async function run(...args: string[]) {
    const env = { DATABASE_URL: site.url, LOG_ARCHIVE: at('archive') };
    const terminal = recordingTerminal(env);
    const exitCode = await runPosture(args, terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  async function refused(expected: RegExp, ...args: string[]): Promise<void> {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(expected);
  }

  it('writes a file that only its owner may read, with its progress on stderr, and no other', async () => {
    const { exitCode, out, err } = await run('checkpoint', at('one'));
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/^Checkpoint of 18 records of log \S+, 2 partitions\n$/),
    ]);
    expect(err).toMatch(/^Folding: 18 records\n(.*\n)*Folding: \d+ a second\n$/);
    expect((await stat(at('one'))).mode & 0o777).toBe(0o600);
    await refused(/one already exists: name a new file/, 'checkpoint', at('one'));
    // Before the fold.
    await refused(/^posture: cannot write to \S+\/none \(ENOENT\)\n$/, 'checkpoint', at('none/new'));
    expect(await readdir(dir)).toEqual(['one']);
  });

  it('archives nothing before the fold has reached the checkpoint', async () => {
    await refused(/folded only up to 0: wait for the projector/, 'archive', at('archive'), '--to', at('one'));
    expect(await readdir(dir)).toEqual(['one']);
  });

  it('verifies the folded records, and reports how many are not folded yet', async () => {
    const { exitCode, out } = await run('verify');
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(
        /^Clean: 0 rows match the 0 records of the log\nBehind {5}partition 0: \d+ records are not folded yet\nBehind {5}partition 1: /,
      ),
    ]);
    const { positions, unfolded } = JSON.parse((await run('verify', '--json')).out);
    expect([positions, unfolded[0] + unfolded[1]]).toEqual([[0, 0], 18]);
  });

  it('continues from a checkpoint, and reports the folded records', async () => {
    expect(await run('replay', '--from', at('one'))).toMatchObject({
      exitCode: 0,
      out: `Replayed: 8 assets and 16 findings from 0 records of the log after ${at('one')}\n`,
    });
    await append();
    const replayed = await run('replay', '--from', at('one'), '--json', '--check-chain');
    expect(replayed).toMatchObject({ exitCode: 0, err: '' });
    expect(JSON.parse(replayed.out)).toMatchObject({ ok: true, records: 16, assets: 8, findings: 24 });
    const verified = await run('verify', '--from', at('one'), '--check-chain');
    expect(verified).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Clean: \d+ rows match the 34 records of the log\n$/),
      err: expect.stringMatching(/^Checking: 18 records\n(.*\n)*Folding: 16 records\n/),
    });
    expect((await run('verify')).out).toBe(verified.out);
    const two = JSON.parse((await run('checkpoint', at('two'), '--from', at('one'), '--json')).out);
    expect(two).toMatchObject({ ok: true, records: 34, folded: 16, bytes: (await stat(at('two'))).size });
    expect(await run('checkpoint', at('whole'))).toMatchObject({ exitCode: 0 });
    expect(await readFile(at('whole'))).toEqual(await readFile(at('two')));
  });

  it.each([['verify'], ['replay'], ['checkpoint', 'interrupted']])(
    'leaves no copy of the tables if %s is interrupted',
    async (command, ...args) => {
      const shadow = async () =>
        (
          await site.pool.query(
            `select to_regnamespace($1) is not null as is_there,
                    exists (select from pg_locks l join pg_database d on d.oid = l.database
                             where datname = current_database() and locktype = 'advisory' and not granted) as is_waiting`,
            [`posture_${command}`],
          )
        ).rows[0];
      const holding = await site.pool.connect();
      try {
        // Copies of the table have this check, too.
        await holding.query(
          `create function waits() returns boolean language plpgsql as
             'begin perform pg_advisory_xact_lock_shared(1); return true; end';
           alter table assets add check (waits()) not valid;
           select pg_advisory_lock(1)`,
        );
        const launcher = fileURLToPath(new URL('../../posture.js', import.meta.url));
        const child = spawn(process.execPath, [launcher, command, ...args.map(at)], {
          env: { PATH: process.env.PATH, DATABASE_URL: site.url, LOG_ARCHIVE: at('archive') },
          stdio: 'ignore',
        });
        const ended = once(child, 'close');
        await until('the fold to write', async () => (await shadow()).is_waiting);
        expect((await shadow()).is_there).toBe(true);
        child.kill('SIGINT');
        expect(await ended).toEqual([130, null]);
        expect((await shadow()).is_there).toBe(false);
      } finally {
        await holding.query('drop function waits cascade');
        holding.release(true);
      }
    },
  );

  it('rejects files that are damaged or not a checkpoint, with exit 2 and a message', async () => {
    const bytes = await readFile(at('one'));
    bytes[bytes.length >> 1]! ^= 8;
    await writeFile(at('bad'), bytes);
    for (const command of ['replay', 'verify']) {
      await refused(/bad is damaged in/, command, '--from', at('bad'));
      await refused(/none \(ENOENT\)/, command, '--from', at('none'));
      await refused(/posture-checkpoint-\w+ is a directory/, command, '--from', dir);
    }
    await refused(/--check-chain requires --from/, 'verify', '--check-chain');
    await refused(/bad is damaged in/, 'archive', at('archive'), '--to', at('bad'));
    await refused(/bad is damaged in/, 'checkpoint', at('new'), '--from', at('bad'));
    expect((await readdir(dir)).sort()).toEqual(['bad', 'one', 'two', 'whole']);
    expect((await run('verify')).exitCode).toBe(0);
  });

  it('moves the records before a checkpoint, and every command still reads them', async () => {
    const commands = [['log', '--full'], ['log', '--entity', KEYS[3]!], ['export-log', '-'], ['verify']];
    const outputs = async () => {
      const texts: string[] = [];
      for (const args of commands) texts.push((await run(...args)).out);
      return texts;
    };
    const before = await outputs();
    await interruptArchive();
    // LOG_ARCHIVE does not name the directory before the first archive.
    const resuming = recordingTerminal({ DATABASE_URL: site.url, DATA_DIR: at('data') });
    const exitCode = await runPosture(['archive', at('archive'), '--to', at('one')], resuming);
    expect([exitCode, resuming.err(), resuming.out()]).toEqual([
      0,
      expect.stringMatching(/^Archiving: /),
      expect.stringMatching(
        /^Archived {3}0 records of log \S+; \d+ were removed from the log\nSet {8}LOG_ARCHIVE=\S+\/archive /,
      ),
    ]);
    expect(await run('archive', at('archive'), '--to', at('two'), '--json')).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/"written":16,"removed":16/),
    });
    const { rows } = await site.pool.query('select count(*) from log_records where topic = $1', [
      INTAKE_TOPIC,
    ]);
    expect(rows[0].count).toBe(0);
    expect(await outputs()).toEqual(before);
    await append();
    expect((await run('replay')).out).toMatch(/from 50 records of the log\n$/);
    expect((await run('verify', '--from', at('two'))).exitCode).toBe(0);
  });

  it('says what to set if the segments are elsewhere, and rejects another directory', async () => {
    const elsewhere = recordingTerminal({ DATABASE_URL: site.url, LOG_ARCHIVE: at('elsewhere') });
    expect(await runPosture(['verify'], elsewhere)).toBe(2);
    expect(elsewhere.err()).toMatch(/the log begins at partition \d, offset \d+, .* set LOG_ARCHIVE to/);
    expect(await run('checkpoint', at('three'))).toMatchObject({ exitCode: 0 });
    await refused(
      /other lacks older segments: the log begins at/,
      'archive',
      at('other'),
      '--to',
      at('three'),
    );
  });

  it('reports the differences of a verify also if its metrics cannot be written', async () => {
    const verify = () => run('verify', '--metrics-file', at('none/verify.prom'));
    expect(await verify()).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/cannot write .*verify\.prom \(ENOENT\)\n {2}Clean: \d+ rows match/),
    });
    await site.pool.query(`update assets set name = 'another' where entity_key = $1`, [KEYS[0]]);
    expect(await verify()).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/1 of \d+ rows differ[\s\S]*assets[\s\S]*cannot write .*verify\.prom/),
    });
  });
});
