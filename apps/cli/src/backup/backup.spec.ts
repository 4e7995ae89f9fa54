import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Backup,
  backUpSite,
  EXCLUDED_TABLES,
  OUTSIDE_TABLES,
  type Restored,
  restoreSite,
} from '#libs/backup';
import { bringPendingIntoForce } from '#libs/catalogue-store';
import { type ChangeCursor, formatCursor, readHeads } from '#libs/changes';
import { encodeIntake, partitionOf } from '#libs/contracts';
import { openDatabase } from '#libs/database';
import {
  actEnvelope,
  type CredentialChanged,
  type IntakeEvent,
  ORGANIZATION_KEY,
  readingAt,
} from '#libs/domain';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { ArchivedLog } from '#libs/log-archive';
import { FOLDED_TABLES } from '#libs/tables';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { commandMetrics } from '../../../../test/observe/metrics-page.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { signal, T0, upload, uploadId } from '../../../../test/support/scenario.ts';
import { runPosture } from '../posture.ts';

const PARTITIONS = 2;
const KEYS = Array.from({ length: 8 }, (_, i) => `machine:host${i}`);
const MIDDLE = T0 + 1_000_000;
const LATE = T0 + 2_000_000;
/** Records of a partition of a long log. */
const LONG = 11_000;
/** Credentials with a second factor; the number of its acts is not known in a backup of an earlier version. */
const FACTORS = ['kept', 'removed', 'replaced', 'newer', 'oldKept', 'oldRemoved'] as const;
const NO_CONFIG = { assetMatchingCriteria: [], fullAssessmentForTypes: [], warnings: [] };

const organizationEnvelope = (at: number, id: string = randomUUID()) =>
  actEnvelope({ id, entityKey: ORGANIZATION_KEY, ...readingAt(at), settingsVersion: 0, by: null });

/** In order: each uses the result of the previous one. */
describe('posture backup and restore', () => {
  let site: TestDatabase;
  let dir: string;
  const targets: TestDatabase[] = [];
  let uploads = 0;

  beforeAll(async () => {
    site = await testDatabase();
    dir = await mkdtemp(join(tmpdir(), 'posture-backup-'));
    await withLog(site, (log) => openLog(site.db, log, () => readingAt(T0)));
    await addCredential('ana');
    await append(T0 + 1);
    await importCatalogue('CVE-2024-1', T0 + 2);
  });
  afterAll(async () => {
    await Promise.all([site, ...targets].map((database) => database.drop()));
    await rm(dir, { recursive: true });
  });

  async function withLog<T>({ url }: TestDatabase, work: (log: EventLog) => Promise<T>): Promise<T> {
    const log = new PostgresEventLog({ url, partitions: PARTITIONS });
    try {
      return await work(log);
    } finally {
      await log.close();
    }
  }

  const appendEvents = (events: IntakeEvent[]) =>
    withLog(site, (log) =>
      log.append(
        INTAKE_TOPIC,
        events.map((event) => ({ key: event.envelope.entityKey, value: encodeIntake(event) })),
      ),
    );

  /** An upload for each host, with its receipt and its key, and a sync that ends then. */
  async function append(at: number): Promise<void> {
    for (const entityKey of KEYS) {
      uploads += 1;
      await appendEvents(upload(uploads, at, [signal(`a${uploads}`), signal('b')], { entityKey }));
      const sent = [uploadId(uploads), new Date(at)];
      await site.pool.query(
        `insert into upload_receipts (upload_id, kind, by_user, received_at, events, signals, rejected, warnings)
         values ($1, 'zip', 'ana', $2, 2, 2, 0, '[]')`,
        sent,
      );
      await addKey(uploads, at);
    }
    await site.pool.query(
      `insert into syncs (id, integration_id, action, is_full, requested_at, finished_at, stage, status, watermark)
       values ($1, $1, 'manual', false, $2, $2, 'COMPLETED', 0, 'w')`,
      [randomUUID(), new Date(at)],
    );
  }

  const addKey = (n: number, at: number) =>
    site.pool.query(
      `insert into idempotency_keys (credential_id, key, upload_id, body_sha256, received_at, answer)
       values ('11111111-1111-4111-8111-111111111111', $3, $1, '\\xff00', $2, '{"a": "\\\\tab\\n"}')`,
      [uploadId(n), new Date(at), `key ${n}`],
    );

  async function addCredential(username: string): Promise<string> {
    const id = randomUUID();
    await site.pool.query(
      `insert into credentials (id, username, password_hash, role, created_at, second_factor_acts)
       values ($1, $2, 'hash', 'admin', now(), 0)`,
      [id, username],
    );
    return id;
  }

  const markedIn = async ({ pool }: TestDatabase) =>
    (await pool.query('select username from credentials where is_break_glass')).rows.map(
      ({ username }) => username,
    );

  /** Its state in the log, not in the table. */
  const appendCredentialAct = (act: CredentialChanged['act'], credentialId: string) =>
    appendEvents([
      {
        envelope: organizationEnvelope(LATE + 20),
        payload: { type: 'CredentialChanged', act, credentialId, username: '', role: 'admin' },
      },
    ]);

  /** Replaces the earlier data of the catalogue. */
  async function importCatalogue(cve: string, at: number): Promise<void> {
    const importId = randomUUID();
    await site.pool.query(
      `insert into catalogue_imports (id, catalogue, source, started_at, staged_rows, content_hash)
       values ($1, 'kev', 'kev.json', now(), 1, 'f0')`,
      [importId],
    );
    await site.pool.query('insert into catalogue_staged values ($1, $2, $3)', [
      importId,
      cve,
      { dateAdded: '2024-01-01' },
    ]);
    const envelope = organizationEnvelope(at, importId);
    const told = { importId, catalogue: 'kev', source: 'kev.json', contentHash: 'f0', rows: 1 } as const;
    await appendEvents([{ envelope, payload: { type: 'CatalogueImported', ...told } }]);
    expect((await run('replay')).exitCode).toBe(0);
    await bringPendingIntoForce(site.db);
  }

  /** As `--keep-log`, which is for a log on Kafka, with the log of another database. */
  async function restoreBeside(owner: TestDatabase, target: TestDatabase, folder: string): Promise<Restored> {
    const backup = await Backup.open(folder);
    const cut = await backup.verify();
    const live = openDatabase(target.url, { max: 8 });
    const inner = new PostgresEventLog({ url: owner.url, partitions: PARTITIONS });
    const log = new ArchivedLog(inner, { folder: at('archive') });
    const options = { databaseUrl: target.url, cut, keepsLog: true, openLog: async () => log };
    return restoreSite(live, backup, options).finally(() => live.close());
  }

  /** A restore that ends after some appends. */
  async function interruptRestore(
    { url }: TestDatabase,
    backup: Backup,
    { appends, erased = [] }: { appends: number; erased?: string[] },
  ): Promise<void> {
    const cut = await backup.verify();
    const live = openDatabase(url, { max: 8 });
    const log = new PostgresEventLog({ url, partitions: PARTITIONS });
    let appended = 0;
    const failing: EventLog = Object.assign(Object.create(log), {
      append: (...args: Parameters<EventLog['append']>) => {
        appended += 1;
        return appended > appends ? Promise.reject(new Error('killed')) : log.append(...args);
      },
    });
    const options = { databaseUrl: url, cut, erased, openLog: async () => failing };
    const interrupted = restoreSite(live, backup, options).finally(() => live.close());
    await expect(interrupted).rejects.toThrow('killed');
  }

  async function newTarget(): Promise<TestDatabase> {
    const target = await testDatabase();
    targets.push(target);
    return target;
  }

  const at = (name: string) => join(dir, name);
  const run = (...args: string[]) => runOn(site, ...args);

  async function runOn({ url }: TestDatabase, ...args: string[]) {
    const terminal = recordingTerminal({ DATABASE_URL: url, LOG_ARCHIVE: at('archive') });
    const exitCode = await runPosture(args, terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  async function refused(target: TestDatabase, expected: RegExp, ...args: string[]): Promise<void> {
    const { exitCode, out, err } = await runOn(target, ...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(expected);
  }

  /** Every row that is folded or outside the log, and every record, as text. */
  async function contentOf({ pool }: TestDatabase): Promise<Record<string, string[]>> {
    const content: Record<string, string[]> = {};
    for (const { name } of [...FOLDED_TABLES, ...OUTSIDE_TABLES]) {
      const { rows } = await pool.query(`select t::text as row from ${name} t order by 1`);
      content[name] = rows.map(({ row }) => row);
    }
    const { rows } = await pool.query(
      `select row(partition, "offset", key, headers, value)::text as row from log_records where topic = $1 order by 1`,
      [INTAKE_TOPIC],
    );
    return { ...content, log: rows.map(({ row }) => row) };
  }

  const segmentsIn = async (folder: string) => (await readdir(join(folder, 'log'))).sort();

  it('copies a long log before it opens the snapshot of the tables, and after it only new records', async () => {
    const long = await newTarget();
    const live = openDatabase(long.url, { max: 4 });
    const readWhile = { closed: 0, open: 0 };
    await withLog(long, async (log) => {
      await openLog(long.db, log, () => readingAt(T0));
      const append = (count: number, partition: number) =>
        log.append(
          INTAKE_TOPIC,
          Array.from({ length: count }, () => ({ key: 'k', value: Buffer.of(1), partition })),
        );
      for (const partition of [0, 1]) await append(LONG, partition);
      /** What is appended to partition 1 when it is first read from an offset. */
      const late = new Map([
        [0, 2 * LONG],
        [LONG + 1, 1],
      ]);
      async function* read(...range: Parameters<EventLog['read']>) {
        const [, partition, from] = range;
        const count = partition === 1 ? late.get(from) : undefined;
        if (count !== undefined) {
          late.delete(from);
          await append(count, 1);
        }
        const { rows } = await long.pool.query(
          `select count(*) > 0 as is_open from pg_stat_activity
            where datname = current_database() and state = 'idle in transaction'`,
        );
        for await (const records of log.read(...range)) {
          readWhile[rows[0].is_open ? 'open' : 'closed'] += records.length;
          yield records;
        }
      }
      const watched: EventLog = Object.assign(Object.create(log), { read });
      const made = await backUpSite(live, watched, at('long')).finally(() => live.close());
      expect(made.positions).toEqual([LONG + 1, 3 * LONG + 2]);
      expect(made.written).toBe(4 * LONG + 3);
    });
    expect(readWhile.closed).toBeGreaterThan(4 * LONG);
    expect(readWhile.open).toBeLessThan(10);
    expect((await segmentsIn(at('long'))).length).toBe(4);
    const { ends } = (await (await Backup.open(at('long'))).verify()).source.extent;
    expect(ends).toEqual([LONG + 1, 3 * LONG + 2]);
  });

  it('destroys the keys again of subjects that were erased after the backup, by its list', async () => {
    const owner = await newTarget();
    await withLog(owner, (log) => openLog(owner.db, log, () => readingAt(T0)));
    const subject = Buffer.alloc(16, 7);
    await owner.pool.query(
      `insert into subject_keys (subject, lookup, wrapped) values (encode($1, 'hex')::uuid, '\\x01', 'w')`,
      [subject],
    );
    await owner.pool.query(
      `insert into users (id, provider, subject, name, grants, created_at, last_sign_in_at)
       values (gen_random_uuid(), 'corp', 's', 'corp:ana', '{analyst}', now(), now())`,
    );
    const usersOf = async ({ pool }: TestDatabase) =>
      (await pool.query('select name from users')).rows.map(({ name }) => name);
    const keysOf = async ({ pool }: TestDatabase) =>
      (
        await pool.query(
          'select lookup, wrapped, destroyed_at is not null as "isDestroyed" from subject_keys',
        )
      ).rows;
    await runOn(owner, 'backup', at('erasures'));
    expect((await readdir(at('erasures'))).sort()).toEqual([
      'keys.posture-backup',
      'log',
      'tables.posture-backup',
    ]);
    await cp(at('erasures'), at('before'), { recursive: true });
    await owner.pool.query('update subject_keys set lookup = null, wrapped = null, destroyed_at = now()');
    await runOn(owner, 'backup', at('erasures'));
    const list = join(at('erasures'), 'erasures.txt');
    expect(await readFile(list, 'utf8')).toBe(`${subject.toString('base64url')}\n`);

    const [forgetful, informed] = [await newTarget(), await newTarget()];
    await refused(
      forgetful,
      /none\.txt does not exist/,
      'restore',
      at('before'),
      '--erasures',
      at('none.txt'),
    );
    await writeFile(at('wrong.txt'), `${subject.toString('base64url')}\nana\n`);
    await refused(
      forgetful,
      /wrong\.txt is not an erasure list: line 2/,
      'restore',
      at('before'),
      '--erasures',
      at('wrong.txt'),
    );
    const without = await runOn(forgetful, 'restore', at('before'), '--json');
    expect(JSON.parse(without.out)).toMatchObject({ ok: true, erasureLists: [], erasedAgain: 0 });
    expect(await keysOf(forgetful)).toMatchObject([{ wrapped: 'w', isDestroyed: false }]);
    expect(await usersOf(forgetful)).toEqual(['corp:ana']);
    const told = await runOn(informed, 'restore', at('before'), '--erasures', list);
    expect([told.exitCode, told.out]).toEqual([
      0,
      expect.stringContaining(
        `\nErasures   1 subjects are in ${list}\nErased     1 subjects again, by the erasure list\n` +
          'Removed    all sign-ins and 1 users of identity providers, with their views and notifications: it is not known which are of erased persons\n',
      ),
    ]);
    const again = [{ lookup: null, wrapped: null, isDestroyed: true }];
    expect(await keysOf(informed)).toEqual(again);
    // It is not known which of them was erased.
    expect(await usersOf(informed)).toEqual([]);
    // The list of the gateways, which is later than every backup.
    const third = await newTarget();
    const byEnvironment = async (path: string) => {
      const terminal = recordingTerminal({ DATABASE_URL: third.url, ERASURE_LIST: path });
      const exitCode = await runPosture(['restore', at('before')], terminal);
      return { exitCode, out: terminal.out(), err: terminal.err() };
    };
    expect(await byEnvironment(at('unmounted/erasures.txt'))).toEqual({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/unmounted\/erasures\.txt does not exist: .* create an empty file/),
    });
    expect((await byEnvironment(list)).exitCode).toBe(0);
    expect(await keysOf(third)).toEqual(again);

    // The list of a call that was interrupted.
    const resumed = await newTarget();
    const erased = [subject.toString('base64url')];
    await interruptRestore(resumed, await Backup.open(at('before')), { appends: 0, erased });
    expect((await runOn(resumed, 'restore', at('before'))).exitCode).toBe(0);
    expect(await keysOf(resumed)).toEqual(again);
    // And that of the call which resumes.
    const other = await newTarget();
    await interruptRestore(other, await Backup.open(at('before')), { appends: 0 });
    expect((await runOn(other, 'restore', at('before'), '--erasures', list)).exitCode).toBe(0);
    expect(await keysOf(other)).toEqual(again);
  });

  it('keeps sign-ins and users if no person is among the subjects that it erases again', async () => {
    const [owner, restored] = [await newTarget(), await newTarget()];
    const subject = Buffer.alloc(16, 8).toString('base64url');
    const entityKey = `machine:~${subject}`;
    await withLog(owner, async (log) => {
      await openLog(owner.db, log, () => readingAt(T0));
      const events = upload(1, T0, [signal('a')], { entityKey });
      await log.append(
        INTAKE_TOPIC,
        events.map((event) => ({ key: entityKey, value: encodeIntake(event) })),
      );
    });
    await owner.pool.query(
      `insert into subject_keys (subject, lookup, wrapped)
       values ('${'08'.repeat(16)}', '\\x01', 'w')`,
    );
    await owner.pool.query(
      `with u as (insert into users (id, provider, subject, name, grants, created_at, last_sign_in_at)
                  values (gen_random_uuid(), 'corp', 's', 'corp:ana', '{analyst}', now(), now()) returning id),
            v as (insert into saved_views (id, owner_id, owner, list, name, query, is_shared, created_at, updated_at)
                  select gen_random_uuid(), id, 'corp:ana', 'findings', 'Mine', '', true, now(), now() from u)
       insert into security_events
       values (gen_random_uuid(), now(), now(), now(), 1, 'signIn', 'accepted', '', 'corp:ana', '', '', '')`,
    );
    await runOn(owner, 'backup', at('laptops'));
    await writeFile(at('laptops.txt'), `${subject}\n`);
    const { out } = await runOn(restored, 'restore', at('laptops'), '--erasures', at('laptops.txt'));
    expect(out).toMatch(/\nErased {5}1 subjects again, by the erasure list\nKeys/);
    const { rows } = await restored.pool.query(
      `select (select count(*)::int from subject_keys where destroyed_at is not null) as destroyed,
              (select count(*)::int from users) as users, (select count(*)::int from saved_views) as views,
              (select count(*)::int from security_events) as "signIns"`,
    );
    expect(rows).toEqual([{ destroyed: 1, users: 1, views: 1, signIns: 1 }]);
  });

  it('removes the views and notifications of users who are not in its keys', async () => {
    const owner = await newTarget();
    await withLog(owner, (log) => openLog(owner.db, log, () => readingAt(T0)));
    const [ana, bo, cy] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`);
    await owner.pool.query(
      `with added as (
              insert into credentials (id, username, password_hash, role, created_at, second_factor_acts)
              values ('${ana}', 'ana', 'hash', 'admin', now(), 0))
       insert into users (id, provider, subject, name, grants, created_at, last_sign_in_at)
       select n::uuid, 'corp', n, n, '{analyst}', now(), now() from unnest($1::text[]) n`,
      [[bo, cy]],
    );
    await owner.pool.query(
      `with viewed as (
              insert into saved_views (id, owner_id, owner, list, name, query, is_shared, created_at, updated_at)
              select n, n, 'corp', 'findings', 'Mine', '', true, now(), now() from unnest($1::uuid[]) n),
            opened as (insert into default_views select n, 'findings', $1[1] from unnest($1::uuid[]) n)
       insert into notification_people (person_id, kinds, checked_through, next_check_at)
       select n, '{mentioned}', now(), now() from unnest($1::uuid[]) n`,
      [[ana, bo, cy]],
    );
    const backedUp = async (folder: string) =>
      expect((await runOn(owner, 'backup', at(folder))).exitCode).toBe(0);
    await backedUp('with-cy');
    await owner.pool.query('delete from users where id = $1', [cy]);
    await backedUp('without-cy');
    const restored = async (...args: string[]) => {
      const target = await newTarget();
      expect((await runOn(target, 'restore', ...args)).exitCode).toBe(0);
      const { rows } = await target.pool.query(
        `select (select array_agg(owner_id order by owner_id) from saved_views) as views,
                (select array_agg(person_id order by person_id) from default_views) as defaults,
                (select array_agg(person_id order by person_id) from notification_people) as people`,
      );
      return rows[0];
    };
    expect(await restored(at('with-cy'))).toEqual({
      views: [ana, bo, cy],
      defaults: [ana, bo, cy],
      people: [ana, bo, cy],
    });
    expect(await restored(at('with-cy'), '--keys', at('without-cy/keys.posture-backup'))).toEqual({
      views: [ana, bo],
      defaults: [ana, bo],
      people: [ana, bo],
    });
    expect(await restored(at('with-cy'), '--without-keys')).toEqual({
      views: [ana],
      defaults: [ana],
      people: null,
    });
    // Of a credential that the tables of the backup lack.
    const late = await owner.pool.query(
      `with added as (
              insert into credentials (id, username, password_hash, role, created_at, second_factor_acts)
              values (gen_random_uuid(), 'late', 'hash', 'admin', now(), 0) returning id)
       insert into notification_people (person_id, kinds, checked_through, next_check_at)
       select id, '{mentioned}', now(), now() from added`,
    );
    expect(late.rowCount).toBe(1);
    await backedUp('with-late');
    expect(await restored(at('without-cy'), '--keys', at('with-late/keys.posture-backup'))).toMatchObject({
      people: [ana, bo],
    });
  });

  it('resumes a restore only with the same keys', async () => {
    const target = await newTarget();
    const withoutKeys = await Backup.open(at('before'), { withoutKeys: true });
    await interruptRestore(target, withoutKeys, { appends: 0 });
    const another = /another restore into this database was interrupted: .* with the same backup, keys/;
    await refused(target, another, 'restore', at('before'));
    expect((await runOn(target, 'restore', at('before'), '--without-keys')).exitCode).toBe(0);
    expect((await target.pool.query('select from subject_keys')).rowCount).toBe(0);
  });

  it('lists every table as folded, in a backup, or excluded', async () => {
    const { rows } = await site.pool.query(`select tablename from pg_tables where schemaname = 'public'`);
    const known = [...FOLDED_TABLES, ...OUTSIDE_TABLES].map(({ name }) => name);
    expect([...known, ...Object.keys(EXCLUDED_TABLES)].sort()).toEqual(
      rows.map(({ tablename }) => tablename).sort(),
    );
  });

  it('works on no tables of another version, also if a newer one only added', async () => {
    const outcomes = async () => {
      const all = [];
      for (const command of [
        ['backup', at('none')],
        ['verify'],
        ['checkpoint', at('none')],
        ['replay'],
        ['keys', 'status'],
      ]) {
        const { exitCode, err } = await run(...command);
        all.push([command[0], exitCode, err]);
      }
      return all;
    };
    const rejected = (message: string) =>
      ['backup', 'verify', 'checkpoint', 'replay', 'keys'].map((name) => [
        name,
        1,
        expect.stringContaining(message),
      ]);
    await site.pool.query(
      `insert into migrations (number, name, sha256, expands) values (9999, '9999_newer.sql', '', true)`,
    );
    const ofNewer = await outcomes();
    await site.pool.query('delete from migrations where number = 9999');
    expect(ofNewer).toEqual(
      rejected('migrated by a newer version (9999_newer.sql): use the command line of that version'),
    );
    const { rows } = await site.pool.query(
      `with removed as (delete from migrations where number = (select max(number) from migrations) returning *)
       select *, to_jsonb(removed) as whole from removed`,
    );
    const ofOlder = await outcomes();
    await site.pool.query(
      'insert into migrations select * from jsonb_populate_record(null::migrations, $1)',
      [rows[0].whole],
    );
    expect(ofOlder).toEqual(
      rejected(`the database lacks migrations/${rows[0].name}: start the service or run posture migrate`),
    );
    expect(await readdir(dir)).not.toContain('none');
  });

  it('makes the same site again: every record, every row, and only its owner may read the files', async () => {
    const { exitCode, out, err } = await run('backup', at('b'), '--metrics-file', at('backup.prom'));
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/^Backed up {2}19 records of log \S+, 2 partitions; 19 are new in .*\/b\n$/),
    ]);
    expect(err).toMatch(/^Backing up: 19 records\n(.*\n)*Backing up: \d+ a second\n$/);
    expect((await readdir(at('b'))).sort()).toEqual(['keys.posture-backup', 'log', 'tables.posture-backup']);
    for (const file of [
      'keys.posture-backup',
      'tables.posture-backup',
      `log/${(await segmentsIn(at('b')))[0]}`,
    ]) {
      expect((await stat(join(at('b'), file))).mode & 0o777).toBe(0o600);
    }
    const told = (await readFile(at('backup.prom'), 'utf8')).split('\n').filter((line) => /^\w/.test(line));
    expect(told).toEqual([
      expect.stringMatching(/^posture_backup_finished_timestamp_seconds \d{10}/),
      'posture_backup_records 19',
    ]);
    expect(told.map((line) => line.split(' ')[0])).toEqual(commandMetrics('backup'));
    expect(await run('backup', at('b'), '--metrics-file', at('none/backup.prom'))).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(
        /cannot write .*backup\.prom \(ENOENT\)\n {2}Backed up {2}19 records .*; 0 are new/,
      ),
    });
    const target = await newTarget();
    const restored = await runOn(target, 'restore', at('b'));
    expect([restored.exitCode, restored.out]).toEqual([
      0,
      expect.stringMatching(
        /^Restored {3}19 records of log \S+, the last of 2026-01-01T00:00:00.002Z: 8 assets and 16 findings\n/,
      ),
    ]);
    expect(restored.err).toMatch(
      /^Checking: 19 records\n(.*\n)*Importing: 19 records\n(.*\n)*Folding: 19 records\n/,
    );
    expect(await contentOf(target)).toEqual(await contentOf(site));
    expect((await runOn(target, 'verify')).out).toMatch(/^Clean: /);
    await withLog(target, (log) => openLog(target.db, log, () => readingAt(LATE)));
    await refused(target, /the database is not empty: \w+ has rows/, 'restore', at('b'));
  });

  it('writes only new records, and resumes after an interruption', async () => {
    await append(MIDDLE);
    expect((await run('replay')).exitCode).toBe(0);
    // A kill leaves segments without their tables.
    const tables = await readFile(at('b/tables.posture-backup'));
    expect((await run('backup', at('b'), '--json')).out).toMatch(/"records":35,"written":16,/);
    await writeFile(at('b/tables.posture-backup'), tables);
    const before = await newTarget();
    expect((await runOn(before, 'restore', at('b'))).out).toMatch(/^Restored {3}19 records/);
    // Of a kill while a segment was written, by this version and by an earlier one.
    for (const end of [`${randomUUID()}.unfinished`, 'unfinished']) {
      await writeFile(at(`b/log/0001-000000000018-000000000019.posture-segment.${end}`), '');
    }
    await append(LATE);
    await importCatalogue('CVE-2024-2', LATE + 1);
    expect((await run('backup', at('b'), '--json')).out).toMatch(/"records":52,"written":17,/);
    expect((await segmentsIn(at('b'))).length).toBe(6);
    expect((await run('backup', at('b'), '--json')).out).toMatch(/"records":52,"written":0,/);
    expect((await segmentsIn(at('b'))).length).toBe(6);
    const target = await newTarget();
    expect((await runOn(target, 'restore', at('b'))).exitCode).toBe(0);
    expect(await contentOf(target)).toEqual(await contentOf(site));
  });

  it('restores the state at an instant, and no table contains later data', async () => {
    const target = await newTarget();
    const until = new Date(MIDDLE).toISOString();
    const { exitCode, out } = await runOn(target, 'restore', at('b'), '--until', until, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, records: 35, findings: 24, lastEvent: until });
    expect((await runOn(target, 'verify')).out).toMatch(/^Clean: /);
    const count = async (table: string) =>
      (await target.pool.query(`select count(*) from ${table}`)).rows[0].count;
    for (const table of ['idempotency_keys', 'upload_receipts'])
      expect([table, await count(table)]).toEqual([table, 16]);
    expect([await count('syncs'), await count('credentials')]).toEqual([2, 1]);
    const { rows } = await target.pool.query(
      `select cve, valid_to = 'infinity' as holds from catalogue_rows order by 1`,
    );
    expect(rows).toEqual([{ cve: 'CVE-2024-1', holds: true }]);
    expect(await count('catalogue_imports')).toBe(1);
    await refused(
      await newTarget(),
      /no data exists at that time: the log begins later/,
      'restore',
      at('b'),
      '--until',
      '2025-01-01T00:00:00Z',
    );
  });

  it('resets webhooks to the end of the restored changes, and scores to their beginning', async () => {
    const addWebhook = (id: string, topics: string[], place: ChangeCursor, pausedBy: string | null) =>
      site.pool.query(
        `insert into webhooks (id, url, topics, secret, enabled, paused, position, created_at, updated_at)
         values ($1, 'https://receiver.example', $2, 'sealed', $3, $4, $5, now(), now())`,
        [id, topics, !pausedBy, pausedBy && { reason: pausedBy }, formatCursor(place)],
      );
    const { assets, findings } = await readHeads(site.db, PARTITIONS);
    const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    await addWebhook(first, ['assets', 'findings', 'scores'], { assets, findings, scores: [5, 7] }, null);
    await addWebhook(second, ['findings'], { findings: [1, 2] }, 'user');
    expect((await run('backup', at('webhooks'))).exitCode).toBe(0);
    await site.pool.query('delete from webhooks');
    const webhooksOf = async ({ pool }: TestDatabase) =>
      (
        await pool.query(
          `select id, enabled, paused ->> 'reason' as reason, position from webhooks order by id`,
        )
      ).rows;
    const paused = { enabled: false, reason: 'restored' };
    const untouched = { id: second, enabled: false, reason: 'user', position: 'f:1.2' };
    const scores = [0, 0];

    const whole = await newTarget();
    expect((await runOn(whole, 'restore', at('webhooks'))).exitCode).toBe(0);
    expect(await webhooksOf(whole)).toEqual([
      { id: first, ...paused, position: formatCursor({ assets, findings, scores }) },
      untouched,
    ]);
    const cut = await newTarget();
    const until = new Date(MIDDLE).toISOString();
    expect((await runOn(cut, 'restore', at('webhooks'), '--until', until)).exitCode).toBe(0);
    const ends = await readHeads(cut.db, PARTITIONS);
    expect(ends.findings.every((end, partition) => end > 2 && end < findings[partition]!)).toBe(true);
    expect(await webhooksOf(cut)).toEqual([
      { id: first, ...paused, position: formatCursor({ ...ends, scores }) },
      untouched,
    ]);
  });

  it('stops the report schedules of the restored site, and keeps who had disabled theirs', async () => {
    const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const addSchedule = (id: string, isEnabled: boolean) =>
      site.pool.query(
        `insert into report_schedules (id, name, report, cron, time_zone, channels, content, owner_id, enabled, next_at, created_at, updated_at)
         values ($1, 'Weekly', 'board', '0 8 * * 1', 'UTC', '{email}', 'sealed', $1, $2, now(), now(), now())`,
        [id, isEnabled],
      );
    await addSchedule(first, true);
    await addSchedule(second, false);
    await site.pool.query(
      `insert into report_deliveries (id, schedule_id, channel, at, cause, status, created_at)
       values ($1, $1, 'email', now(), 'schedule', 'pending', now())`,
      [first],
    );
    expect((await run('backup', at('schedules'))).exitCode).toBe(0);
    await site.pool.query('delete from report_schedules');
    const target = await newTarget();
    expect((await runOn(target, 'restore', at('schedules'))).exitCode).toBe(0);
    const { rows } = await target.pool.query(
      `select id, content, enabled, next_at is null as is_never, stopped ->> 'reason' as reason
         from report_schedules order by id`,
    );
    expect(rows).toEqual([
      { id: first, content: 'sealed', enabled: false, is_never: true, reason: 'restored' },
      { id: second, content: 'sealed', enabled: false, is_never: false, reason: null },
    ]);
    expect((await target.pool.query('select from report_deliveries')).rowCount).toBe(0);
  });

  it('restores what people chose without a notification of old acts, and sends nothing before an admin saves the settings', async () => {
    await site.pool.query(
      `insert into notification_people (person_id, kinds, channel, content, checked_through, next_check_at, next_message_at)
       select id, '{mentioned}', 'email', 'sealed', now(), now(), now() from credentials where username = 'ana'`,
    );
    await site.pool.query(`insert into notification_settings (content, updated_at) values ('sealed', now())`);
    expect((await run('backup', at('notifications'))).exitCode).toBe(0);
    await site.pool.query('delete from notification_people; delete from notification_settings');
    const target = await newTarget();
    expect((await runOn(target, 'restore', at('notifications'))).exitCode).toBe(0);
    const { rows } = await target.pool.query(
      `select p.content, next_message_at is null as is_silent, is_restored,
              (select count(*) from acts a left join notification_positions n using (partition)
                where a.log_offset > coalesce(n.log_offset, -1))::int as unread,
              (select count(*) from acts)::int as acts
         from notification_people p, notification_settings`,
    );
    expect(rows).toMatchObject([{ content: 'sealed', is_silent: true, is_restored: true, unread: 0 }]);
    expect(rows[0].acts).toBeGreaterThan(0);
  });

  it('rejects a backup that was truncated, changed, or lacks a file, and does not change the target', async () => {
    const target = await newTarget();
    const before = await contentOf(target);
    const damage = async (name: string, spoil: (copy: string) => Promise<unknown>, expected: RegExp) => {
      await cp(at('b'), at(name), { recursive: true });
      await spoil(at(name));
      await refused(target, expected, 'restore', at(name));
    };
    const alter = (change: (bytes: Buffer) => Buffer, file: string) => async (copy: string) =>
      writeFile(join(copy, file), change(await readFile(join(copy, file))));
    const flip = (bytes: Buffer) => {
      bytes[bytes.length >> 1]! ^= 4;
      return bytes;
    };
    const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 40);
    const [first, second] = await segmentsIn(at('b'));
    await damage('tables-flipped', alter(flip, 'tables.posture-backup'), /tables.posture-backup is damaged/);
    await damage('tables-cut', alter(cut, 'tables.posture-backup'), /tables.posture-backup is damaged/);
    await damage('segment-flipped', alter(flip, `log/${first}`), /0000-0+-\d+.posture-segment is damaged/);
    await damage('segment-cut', alter(cut, `log/${second}`), /posture-segment is damaged/);
    await damage(
      'segment-away',
      (copy) => rm(join(copy, 'log', second!)),
      /does not follow the previous segment: partition 0/,
    );
    await damage(
      'log-away',
      (copy) => rm(join(copy, 'log'), { recursive: true }),
      /lacks a segment: partition 0/,
    );
    await damage(
      'tables-away',
      (copy) => rm(join(copy, 'tables.posture-backup')),
      /contains no tables.posture-backup/,
    );
    await refused(target, /none contains no tables.posture-backup/, 'restore', at('none'));
    expect(await contentOf(target)).toEqual(before);
  });

  it('prevents programs and commands from working on a partly restored site, and the same command resumes', async () => {
    const target = await newTarget();
    expect((await run('export-log', at('whole'))).exitCode).toBe(0);
    await interruptRestore(target, await Backup.open(at('b')), { appends: 2 });
    expect((await contentOf(target)).log!.length).toBeGreaterThan(0);
    await withLog(target, async (half) => {
      await expect(openLog(target.db, half, () => readingAt(LATE))).rejects.toThrow(
        /`posture restore` .* was interrupted/,
      );
    });
    const half = await contentOf(target);
    for (const command of [
      ['backup', at('half')],
      ['catalogue', 'import', 'kev', at('kev.json')],
      ['verify'],
      ['checkpoint', at('half')],
      ['clock', 'confirm', '--reason', 'known'],
      ['import-log', at('whole')],
      ['keys', 'rotate'],
    ]) {
      const { exitCode, err } = await runOn(target, ...command);
      expect([command, exitCode, err]).toEqual([command, 1, expect.stringMatching(/was interrupted/)]);
    }
    expect(await contentOf(target)).toEqual(half);
    await refused(
      target,
      /another restore into this database was interrupted/,
      'restore',
      at('b'),
      '--until',
      new Date(MIDDLE).toISOString(),
    );
    expect((await runOn(target, 'restore', at('b'))).exitCode).toBe(0);
    expect(await contentOf(target)).toEqual(await contentOf(site));
    await withLog(target, (whole) => openLog(target.db, whole, () => readingAt(LATE)));
  });

  it('also backs up archived records, and rejects another site in the same directory', async () => {
    expect((await run('checkpoint', at('checkpoint'))).exitCode).toBe(0);
    expect((await run('archive', at('archive'), '--to', at('checkpoint'))).exitCode).toBe(0);
    expect((await run('backup', at('c'))).out).toMatch(/^Backed up {2}52 records/);
    expect((await run('backup', at('b'), '--json')).out).toMatch(/"records":52,"written":0,/);
    const target = await newTarget();
    await refused(target, /LOG_ARCHIVE .* contains segments of another log/, 'restore', at('c'));
    const other = await newTarget();
    await withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)));
    await refused(other, /is a backup of log \S+, but this is log/, 'backup', at('b'));
    const terminal = recordingTerminal({ DATABASE_URL: target.url, DATA_DIR: at('new') });
    expect([await runPosture(['restore', at('c')], terminal), terminal.err()]).toEqual([
      0,
      expect.stringContaining('Importing: 52 records'),
    ]);
    const found = await contentOf(target);
    expect({ ...found, log: found.log!.length }).toEqual({ ...(await contentOf(site)), log: 52 });
  });

  it('restores the tables outside a log that was not lost, and folds the log to its end', async () => {
    await append(LATE + 10);
    expect((await run('replay')).exitCode).toBe(0);
    const [target, other] = [await newTarget(), await newTarget()];
    await withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)));
    await expect(restoreBeside(other, target, at('b'))).rejects.toThrow(
      /the log does not continue the backup: partition 0, offset \d+/,
    );
    expect(await restoreBeside(site, target, at('b'))).toMatchObject({ findings: 40 });
    const [found, expected] = [await contentOf(target), await contentOf(site)];
    for (const { name } of FOLDED_TABLES) expect([name, found[name]]).toEqual([name, expected[name]]);
    expect(found.credentials).toEqual(expected.credentials);
    expect([found.syncs!.length, expected.syncs!.length]).toEqual([3, 4]);
    await refused(target, /--keep-log requires a log on Kafka/, 'restore', at('b'), '--keep-log');
  });

  it('rejects a log that still has published changes of the old site, or its records', async () => {
    const [used, target] = [await newTarget(), await newTarget()];
    const backup = await Backup.open(at('b'));
    const cut = await backup.verify();
    const append = (topic: string) =>
      withLog(used, (log) => log.append(topic, [{ key: 'k', value: Buffer.of(), partition: 1 }]));
    for (const topic of [
      'posture.quarantine',
      'posture.scores',
      'posture.assets',
      'posture.findings',
      INTAKE_TOPIC,
    ]) {
      await append(topic);
      const live = openDatabase(target.url, { max: 8 });
      const openLog = async () => new PostgresEventLog({ url: used.url, partitions: PARTITIONS });
      const restoring = restoreSite(live, backup, { databaseUrl: target.url, cut, openLog });
      await expect(restoring.finally(() => live.close())).rejects.toThrow(
        `the log is not empty: partition 1 of ${topic} ends at offset 1`,
      );
    }
  });

  it('ends the credentials and passwords that the log says were ended after the backup', async () => {
    const rotate = async (id: string) => {
      await site.pool.query('update credentials set generation = generation + 1 where id = $1', [id]);
      await appendCredentialAct('rotated', id);
    };
    const [bo, cy, dee] = [await addCredential('bo'), await addCredential('cy'), await addCredential('dee')];
    await rotate(cy);
    await rotate(dee);
    expect((await run('backup', at('d'))).exitCode).toBe(0);
    await rotate(dee);
    await appendCredentialAct('deleted', bo);
    const target = await newTarget();
    const { credentials } = await restoreBeside(site, target, at('d'));
    expect(credentials).toEqual({ deleted: ['bo'], locked: ['dee'], withoutRecoveryCodes: [] });
    const { rows } = await target.pool.query(
      'select username, password_hash, generation from credentials order by 1',
    );
    expect(rows).toEqual([
      { username: 'ana', password_hash: 'hash', generation: 1 },
      { username: 'cy', password_hash: 'hash', generation: 2 },
      { username: 'dee', password_hash: '', generation: 3 },
    ]);
  });

  it('does not run a sync that was waiting at the backup, and may have run since', async () => {
    const id = randomUUID();
    await site.pool.query(
      `insert into syncs (id, integration_id, action, is_full, requested_at, stage, status)
       values ($1, $1, 'scheduled', false, now(), 'QUEUED', 1)`,
      [id],
    );
    expect((await run('backup', at('queued'))).exitCode).toBe(0);
    const target = await newTarget();
    await restoreBeside(site, target, at('queued'));
    const { rows } = await target.pool.query('select from syncs where id = $1', [id]);
    expect(rows).toEqual([]);
    await site.pool.query('delete from syncs where id = $1', [id]);
  });

  it('ends the API tokens that the log says were ended after the backup', async () => {
    const add = async (name: string): Promise<string> => {
      const id = randomUUID();
      await site.pool.query(
        `insert into api_tokens (id, name, secret_hash, previous_hash, previous_until, scopes, networks, created_at)
         values ($1, $2, sha256($3::bytea), sha256($4::bytea), now(), '{signals:write}', '{}', now())`,
        [id, name, `secret of ${name}`, `previous of ${name}`],
      );
      return id;
    };
    const [kept, revoked, rotated] = [await add('kept'), await add('revoked'), await add('rotated')];
    // Fewer scopes or networks, perhaps.
    const narrowed = await add('narrowed');
    expect((await run('backup', at('tokens'))).exitCode).toBe(0);
    await appendCredentialAct('tokenRevoked', revoked);
    await appendCredentialAct('tokenRotated', rotated);
    await appendCredentialAct('tokenChanged', narrowed);
    const target = await newTarget();
    const { credentials } = await restoreBeside(site, target, at('tokens'));
    expect(credentials).toMatchObject({
      deleted: expect.arrayContaining(['token:revoked']),
      locked: expect.arrayContaining(['token:narrowed', 'token:rotated']),
    });
    const { rows } = await target.pool.query(
      'select id, secret_hash is null and previous_hash is null as is_locked, generation from api_tokens order by name',
    );
    expect(rows).toEqual([
      { id: kept, is_locked: false, generation: 1 },
      { id: narrowed, is_locked: true, generation: 2 },
      { id: rotated, is_locked: true, generation: 2 },
    ]);
    await site.pool.query('delete from api_tokens');
  });

  it('ends second factors that were removed or replaced after the backup, and locks credentials whose second factor is newer', async () => {
    const ids = Object.fromEntries(
      await Promise.all(FACTORS.map(async (name) => [name, await addCredential(name)])),
    ) as Record<(typeof FACTORS)[number], string>;
    const enable = async (id: string, acts: number | null) => {
      await site.pool.query(
        `insert into second_factors (credential_id, secret, confirmed_at, recovery_hashes) values ($1, 's', now(), '{a}')`,
        [id],
      );
      await site.pool.query('update credentials set second_factor_acts = $2 where id = $1', [id, acts]);
      await appendCredentialAct('secondFactorEnabled', id);
    };
    for (const id of [ids.kept, ids.removed, ids.replaced]) await enable(id, 1);
    for (const id of [ids.oldKept, ids.oldRemoved]) await enable(id, null);
    expect((await run('backup', at('factors'))).exitCode).toBe(0);
    for (const id of [ids.removed, ids.oldRemoved, ids.replaced])
      await appendCredentialAct('secondFactorRemoved', id);
    for (const id of [ids.newer, ids.replaced]) await appendCredentialAct('secondFactorEnabled', id);
    const target = await newTarget();
    const { credentials } = await restoreBeside(site, target, at('factors'));
    expect(credentials.locked).toEqual(expect.arrayContaining(['newer', 'replaced']));
    expect(credentials.withoutRecoveryCodes).toEqual(['kept', 'oldKept']);
    const { rows } = await target.pool.query(
      `select username, second_factor_acts as acts, password_hash = '' as "isLocked", f.recovery_hashes as codes
         from credentials c left join second_factors f on f.credential_id = c.id
        where c.id = any ($1) order by username`,
      [Object.values(ids)],
    );
    expect(rows).toEqual([
      { username: 'kept', acts: 1, isLocked: false, codes: [] },
      { username: 'newer', acts: 1, isLocked: true, codes: null },
      { username: 'oldKept', acts: 1, isLocked: false, codes: [] },
      { username: 'oldRemoved', acts: 2, isLocked: false, codes: null },
      { username: 'removed', acts: 2, isLocked: false, codes: null },
      { username: 'replaced', acts: 3, isLocked: true, codes: null },
    ]);
    await site.pool.query('delete from credentials where id = any ($1)', [Object.values(ids)]);
  });

  it('removes and locks the identity providers that were removed or changed after the backup', async () => {
    const add = async (id: string, generation: number) => {
      await site.pool.query(
        `insert into identity_providers values ($1, $1, 'https://id.example', '{"grants": {}}', 'sealed', $2, now(), now())`,
        [id, generation],
      );
      for (let acts = 0; acts < generation; acts++) await appendCredentialAct('identityProviderCreated', id);
    };
    const ids = ['kept', 'narrowed', 'removed', 'returned'];
    for (const id of ids) await add(id, id === 'kept' ? 3 : 1);
    expect((await run('backup', at('providers'))).exitCode).toBe(0);
    await appendCredentialAct('identityProviderChanged', 'narrowed');
    await appendCredentialAct('identityProviderDeleted', 'removed');
    await appendCredentialAct('identityProviderDeleted', 'returned');
    await appendCredentialAct('identityProviderCreated', 'returned');
    const target = await newTarget();
    const { credentials } = await restoreBeside(site, target, at('providers'));
    expect(credentials).toMatchObject({
      deleted: expect.arrayContaining(['identityProvider:removed']),
      locked: expect.arrayContaining(['identityProvider:narrowed', 'identityProvider:returned']),
    });
    const { rows } = await target.pool.query(
      'select id, generation, client_secret, removed_at is not null as is_removed from identity_providers order by 1',
    );
    expect(rows).toEqual([
      { id: 'kept', generation: 3, client_secret: 'sealed', is_removed: false },
      { id: 'narrowed', generation: 2, client_secret: null, is_removed: false },
      { id: 'removed', generation: 2, client_secret: null, is_removed: true },
      { id: 'returned', generation: 3, client_secret: null, is_removed: false },
    ]);
    await site.pool.query('delete from identity_providers');
  });

  it('takes users whose groups changed after the backup out of all groups', async () => {
    const add = async (name: string, changes: number) => {
      const id = randomUUID();
      await site.pool.query(
        `insert into users (id, provider, subject, name, grants, created_at, rights_changes)
         values ($1, 'corp', $2, 'corp:' || $2, '{admin}', now(), $3)`,
        [id, name, changes],
      );
      for (let acts = 0; acts < changes; acts++) await appendCredentialAct('userChanged', id);
      return id;
    };
    const [kept, removed] = [await add('kept', 2), await add('removed', 1)];
    await site.pool.query(
      `insert into user_groups (id, provider, display_name, members, created_at, changed_at)
       values (gen_random_uuid(), 'corp', 'risk-admins', $1, now(), now())`,
      [[kept, removed]],
    );
    expect((await run('backup', at('groups'))).exitCode).toBe(0);
    await appendCredentialAct('userChanged', removed);
    const target = await newTarget();
    const { credentials } = await restoreBeside(site, target, at('groups'));
    expect(credentials.locked).toContain('user:corp:removed');
    expect(credentials.locked).not.toContain('user:corp:kept');
    const { rows: groups } = await target.pool.query('select members from user_groups');
    expect(groups).toEqual([{ members: [kept] }]);
    const { rows: users } = await target.pool.query(
      'select name, grants, rights_changes from users order by 1',
    );
    expect(users).toEqual([
      { name: 'corp:kept', grants: ['admin'], rights_changes: 2 },
      { name: 'corp:removed', grants: [], rights_changes: 2 },
    ]);
    await site.pool.query('delete from users; delete from user_groups');
  });

  it('counts the acts of the log again, which may have been cut before some that a counter has in it', async () => {
    const ids = Object.fromEntries(['credential', 'token', 'user'].map((name) => [name, randomUUID()]));
    await site.pool.query(
      `insert into credentials (id, username, password_hash, role, created_at, generation)
       values ($1, 'ahead', 'hash', 'viewer', now(), 4)`,
      [ids.credential],
    );
    await site.pool.query(
      `insert into api_tokens (id, name, scopes, networks, created_at, generation)
       values ($1, 'ahead', '{signals:write}', '{}', now(), 4)`,
      [ids.token],
    );
    await site.pool.query(
      `insert into users (id, provider, subject, name, grants, created_at, rights_changes)
       values ($1, 'corp', 'ahead', 'corp:ahead', '{admin}', now(), 3)`,
      [ids.user],
    );
    await site.pool.query(
      `insert into identity_providers values ('ahead', 'a', 'https://id.example', '{}', 'sealed', 3, now(), now())`,
    );
    const acts = [
      ['rotated', ids.credential!],
      ['tokenChanged', ids.token!],
      ['userChanged', ids.user!],
      ['identityProviderCreated', 'ahead'],
    ] as const;
    for (const [act, id] of acts) await appendCredentialAct(act, id);
    expect((await run('backup', at('ahead'))).exitCode).toBe(0);
    const target = await newTarget();
    const { credentials } = await restoreBeside(site, target, at('ahead'));
    expect(JSON.stringify(credentials)).not.toContain('ahead');
    const { rows } = await target.pool.query(
      `select (select generation from credentials where username = 'ahead') as credential,
              (select generation from api_tokens) as token, (select rights_changes from users) as user,
              (select generation from identity_providers) as provider`,
    );
    expect(rows).toEqual([{ credential: 2, token: 2, user: 1, provider: 1 }]);
    await site.pool.query(
      `delete from credentials where username = 'ahead'; delete from api_tokens; delete from users;
       delete from identity_providers`,
    );
  });

  it('marks the credential for emergencies that the log names, unless it is cut before the backup', async () => {
    const [first, second] = [await addCredential('first'), await addCredential('second')];
    const change = async (act: 'breakGlassSet' | 'breakGlassUnset', id: string) => {
      await site.pool.query('update credentials set is_break_glass = false where is_break_glass');
      if (act === 'breakGlassSet')
        await site.pool.query('update credentials set is_break_glass = true where id = $1', [id]);
      await appendCredentialAct(act, id);
    };
    const restored = async () => {
      const target = await newTarget();
      await restoreBeside(site, target, at('marked'));
      return markedIn(target);
    };
    await change('breakGlassSet', first);
    expect((await run('backup', at('marked'))).exitCode).toBe(0);
    expect(await restored()).toEqual(['first']);
    await change('breakGlassSet', second);
    // Of one that is not marked: it ends nothing.
    await appendCredentialAct('breakGlassUnset', first);
    expect(await restored()).toEqual(['second']);
    await change('breakGlassUnset', second);
    expect(await restored()).toEqual([]);

    await site.pool.query('update credentials set is_break_glass = true where id = $1', [second]);
    expect((await run('backup', at('marked'))).exitCode).toBe(0);
    const cut = await newTarget();
    const terminal = recordingTerminal({ DATABASE_URL: cut.url, DATA_DIR: at('new') });
    const until = new Date(MIDDLE).toISOString();
    expect(await runPosture(['restore', at('marked'), '--until', until], terminal)).toBe(0);
    expect(await markedIn(cut)).toEqual(['second']);
    await site.pool.query('delete from credentials where id = any ($1)', [[first, second]]);
  });

  it('gives roles the scopes of their last act, unless the log is cut before the backup', async () => {
    const act = (act: CredentialChanged['act'], name: string, role: string, at = LATE + 20) =>
      appendEvents([
        {
          envelope: organizationEnvelope(at),
          payload: { type: 'CredentialChanged', act, credentialId: name, username: name, role },
        },
      ]);
    const rolesIn = async ({ pool }: TestDatabase) =>
      (await pool.query('select name, scopes from roles order by name')).rows;
    for (const name of ['reduced', 'removed']) {
      await act('roleCreated', name, 'assets:read findings:accept');
      await site.pool.query(`insert into roles values ($1, '{assets:read,findings:accept}')`, [name]);
    }
    expect((await run('backup', at('roles'))).exitCode).toBe(0);
    await act('roleChanged', 'reduced', 'assets:read');
    await act('roleDeleted', 'removed', 'assets:read findings:accept');
    const target = await newTarget();
    await restoreBeside(site, target, at('roles'));
    expect(await rolesIn(target)).toEqual([{ name: 'reduced', scopes: ['assets:read'] }]);

    await act('roleDeleted', 'reduced', 'assets:read', LATE + 21);
    await act('roleCreated', 'removed', 'assets:read', LATE + 21);
    await site.pool.query(`delete from roles; insert into roles values ('removed', '{assets:read}')`);
    expect((await run('backup', at('roles'))).exitCode).toBe(0);
    const cut = await newTarget();
    const terminal = recordingTerminal({ DATABASE_URL: cut.url, DATA_DIR: at('new') });
    const until = new Date(LATE + 20).toISOString();
    expect(await runPosture(['restore', at('roles'), '--until', until], terminal)).toBe(0);
    expect(await rolesIn(cut)).toEqual([{ name: 'removed', scopes: ['assets:read'] }]);
    await site.pool.query('delete from roles');
  });

  it('says which they are', async () => {
    // The acts came between the reading of the tables and that of the log.
    await site.pool.query(`update credentials set generation = generation - 1 where username = 'dee'`);
    await site.pool.query(
      `insert into second_factors (credential_id, secret, confirmed_at, recovery_hashes)
       select id, 's', now(), '{a}' from credentials where username = 'ana'`,
    );
    expect((await run('backup', at('d'))).exitCode).toBe(0);
    const restored = async (...args: string[]) => {
      const { url } = await newTarget();
      const terminal = recordingTerminal({ DATABASE_URL: url, DATA_DIR: at('new') });
      expect(await runPosture(['restore', at('d'), ...args], terminal)).toBe(0);
      return terminal.out();
    };
    const text = await restored();
    expect(text).toContain('\nDeleted    bo: the log records the deletion after the backup\n');
    expect(text).toContain(
      '\nLocked     dee: it was rotated or changed, or got a second factor, after the backup; rotate it again\n',
    );
    expect(text).toContain('\nCodes      recovery codes were removed (users: 1): ');
    expect(JSON.parse(await restored('--json'))).toMatchObject({
      credentials: { deleted: ['bo'], locked: ['dee'], withoutRecoveryCodes: ['ana'] },
    });
    await site.pool.query('delete from second_factors');
  });

  it('has an upload sent again that lies on both sides of the instant', async () => {
    const [here, there] = [0, 1].map((partition) =>
      KEYS.find((key) => partitionOf(key, PARTITIONS) === partition),
    );
    const [whole, half, later] = [1001, 1002, 1003];
    const [before, after] = [LATE + 1_000, LATE + 1_001];
    const send = (n: number, entityKey: string | undefined, at: number, events: number) =>
      appendEvents(
        upload(n, at, [signal(`of ${n}`)], {
          entityKey: entityKey!,
          upload: { events, signals: events, rejected: 0, ...NO_CONFIG },
        }),
      );
    await send(whole, here, before, 1);
    await send(later, there, after, 1);
    // A gateway whose clock is behind: in one partition its event follows events with later times.
    for (const entityKey of [here, there]) await send(half, entityKey, before, 2);
    for (const n of [whole, half, later]) await addKey(n, before);
    expect((await run('backup', at('e'))).exitCode).toBe(0);
    const target = await newTarget();
    const terminal = recordingTerminal({ DATABASE_URL: target.url, DATA_DIR: at('new') });
    const until = new Date(before).toISOString();
    expect(await runPosture(['restore', at('e'), '--until', until], terminal)).toBe(0);
    const { rows } = await target.pool.query(
      `select key, answer is not null as is_answered from idempotency_keys where received_at = $1 order by 1`,
      [new Date(before)],
    );
    expect(rows).toEqual([
      { key: `key ${whole}`, is_answered: true },
      { key: `key ${half}`, is_answered: false },
    ]);
  });

  const addSubject = (subject: string) =>
    site.pool.query('insert into subject_keys (subject, wrapped) values ($1, $2)', [
      subject,
      `key of ${subject}`,
    ]);

  it('writes keys to a file of its own, of which only the latest is kept', async () => {
    const [kept, erased, late] = [randomUUID(), randomUUID(), randomUUID()];
    await addSubject(kept);
    await addSubject(erased);
    expect((await run('backup', at('k'))).exitCode).toBe(0);
    for await (const { name, rows } of (await Backup.open(at('k'))).tables.readTables()) {
      expect(['subject_keys', 'security_events', 'users']).not.toContain(name);
      for await (const _ of rows);
    }
    await cp(at('k/keys.posture-backup'), at('old.keys'));
    await append(LATE + 30);
    expect((await run('replay')).exitCode).toBe(0);
    await site.pool.query('update subject_keys set wrapped = null, destroyed_at = now() where subject = $1', [
      erased,
    ]);
    // Of killed backups, with keys that may have been destroyed since.
    for (const end of ['', `.${randomUUID()}.unfinished`]) {
      await writeFile(at(`k/keys.posture-backup.new${end}`), 'keys');
    }
    // A subject that is met while the log is copied: texts with its key may be in the log.
    const live = openDatabase(site.url, { max: 4 });
    await withLog(site, async (log) => {
      let added: Promise<unknown> | undefined;
      async function* read(...range: Parameters<EventLog['read']>) {
        added ??= addSubject(late);
        await added;
        yield* log.read(...range);
      }
      const watched: EventLog = Object.assign(Object.create(log), { read });
      await backUpSite(live, watched, at('k'), { keysFile: at('new.keys') }).finally(() => live.close());
    });
    expect((await readdir(at('k'))).sort()).toEqual(['erasures.txt', 'log', 'tables.posture-backup']);

    const target = await newTarget();
    const restoring = ['restore', at('k')];
    await refused(target, /keys\.posture-backup does not exist: .* --without-keys/, ...restoring);
    await refused(target, /none does not exist/, ...restoring, '--keys', at('none'));
    await refused(target, /is older than the backup/, ...restoring, '--keys', at('old.keys'));
    await refused(target, /cannot be combined/, ...restoring, '--keys', at('new.keys'), '--without-keys');
    const other = await newTarget();
    await withLog(other, (log) => openLog(other.db, log, () => readingAt(T0)));
    await refused(other, /new\.keys is a backup of log/, 'backup', at('other'), '--keys', at('new.keys'));
    expect((await runOn(other, 'backup', at('other'))).exitCode).toBe(0);
    const keysOfOther = ['--keys', at('other/keys.posture-backup')];
    await refused(target, /has keys of log \S+, but the backup is of log/, ...restoring, ...keysOfOther);

    /** The keys of a new site without an archive. */
    const restored = async (...args: string[]) => {
      const { url, pool } = await newTarget();
      const terminal = recordingTerminal({ DATABASE_URL: url, DATA_DIR: at('new') });
      expect([await runPosture(['restore', ...args], terminal), terminal.err()]).toEqual([
        0,
        expect.any(String),
      ]);
      return (await pool.query('select subject, wrapped from subject_keys order by subject')).rows;
    };
    const keys = [
      { subject: kept, wrapped: `key of ${kept}` },
      { subject: erased, wrapped: null },
      { subject: late, wrapped: `key of ${late}` },
    ].sort((a, b) => (a.subject < b.subject ? -1 : 1));
    expect(await restored(at('k'), '--keys', at('new.keys'))).toEqual(keys);
    // Later keys open an earlier backup, and what was erased in between stays erased.
    expect(await restored(at('d'), '--keys', at('new.keys'))).toEqual(keys);
    expect(await restored(at('k'), '--without-keys')).toEqual([]);
  });

  it('restores no tables as keys, and no keys as tables', async () => {
    const target = await newTarget();
    const tables = at('k/tables.posture-backup');
    await refused(
      target,
      /^posture: .*tables\.posture-backup is not a file of keys/,
      'restore',
      at('k'),
      '--keys',
      tables,
    );
    await cp(at('k'), at('swapped'), { recursive: true });
    await cp(at('new.keys'), at('swapped/tables.posture-backup'));
    await refused(target, /^posture: .*tables\.posture-backup is a file of keys/, 'restore', at('swapped'));
  });

  it('keeps the file of keys that is named by another path to the directory, and overwrites no other file', async () => {
    await symlink(dir, at('link'));
    const keysFile = join(await realpath(dir), 'linked/keys.posture-backup');
    expect((await run('backup', at('link/linked'), '--keys', keysFile)).exitCode).toBe(0);
    await Backup.open(at('linked'));
    for (const file of ['tables.posture-backup', 'erasures.txt']) {
      const keys = ['--keys', at(`link/fresh/${file}`)];
      await refused(site, /is not a file of keys: .* Name another file/, 'backup', at('fresh'), ...keys);
    }
    const tables = await readFile(at('linked/tables.posture-backup'));
    const others = ['--keys', at('linked/tables.posture-backup')];
    await refused(site, /is not a file of keys: .* Name another file/, 'backup', at('k'), ...others);
    expect(await readFile(at('linked/tables.posture-backup'))).toEqual(tables);
  });

  it('detects a log that has diverged from the backup', async () => {
    const target = await newTarget();
    const terminal = recordingTerminal({ DATABASE_URL: target.url, DATA_DIR: at('new') });
    const until = new Date(MIDDLE).toISOString();
    expect(await runPosture(['restore', at('b'), '--until', until], terminal)).toBe(0);
    await refused(
      target,
      /reaches offset \d+, but the log ends at \d+: the log has diverged/,
      'backup',
      at('b'),
    );
  });
});
