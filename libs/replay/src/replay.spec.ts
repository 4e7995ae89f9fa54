import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { type Database, holdMigrations, isConnectionError, openDatabase } from '#libs/database';
import type { IntakeEvent } from '#libs/domain';
import { readingAt } from '#libs/domain';
import { type EventLog, PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { LogHoleError } from '#libs/fold';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { Projection } from '#libs/projection';
import { areTotalsExactSql, FOLDED_TABLES } from '#libs/tables';
import { countedTotals, movedTotals } from '../../../test/support/counted-totals.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import {
  DAY_MS,
  event,
  fullAssessment,
  instance,
  observation,
  signal,
  T0,
  upload,
  uploadId,
} from '../../../test/support/scenario.ts';
import { until } from '../../../test/support/until.ts';
import { BulkFold } from './bulk/bulk-fold.ts';
import { ShadowCheckError } from './check-shadow.ts';
import { LogFold } from './fold-log.ts';
import { checkpointSite, MigratedSinceError, replaySite, ShadowBusyError, verifySite } from './index.ts';
import type { Connection } from './queryable.ts';

const PARTITIONS = 3;
/** Timeouts for tests of slow work: of a statement, and of an idle transaction. Elsewhere a minute. */
const STATEMENT_MS = 2_000;
const IDLE_MS = 1_000;
/** Some in every partition. */
const HOSTS = ['web', 'db', 'mail', 'dns', 'ci', 'ldap', 'proxy'];

let database: TestDatabase;
let log: EventLog;
let uploads: number;
beforeEach(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  uploads = 0;
  await openLog(database.db, log, () => readingAt(T0));
});
afterEach(async () => {
  await log.close();
  await database.drop();
});

const append = (events: IntakeEvent[]) =>
  log.append(
    INTAKE_TOPIC,
    events.map((event) => ({ key: event.envelope.entityKey, value: encodeIntake(event) })),
  );

/** Findings of some hosts; every other upload changes what those before it said. */
async function appendUpload(): Promise<void> {
  const day = uploads / HOSTS.length;
  for (const host of HOSTS) {
    uploads += 1;
    const signals = [signal('shared', day % 2 === 0 ? 'fail' : 'pass'), signal(`finding ${day}`)];
    await append(upload(uploads, T0 + day * DAY_MS, signals, { entityKey: `machine:${host}` }));
  }
}

/** A site whose history was trimmed up to its last change. */
async function foldTrimmed(): Promise<void> {
  await appendUpload();
  await appendUpload();
  await foldAll();
  const { pool } = database;
  const { rows } = await pool.query(
    'select partition, finding_sequence from projection_positions where finding_sequence > 0',
  );
  const at = T0 + 30 * DAY_MS;
  await log.append(
    INTAKE_TOPIC,
    rows.map(({ partition, finding_sequence: throughSequence }) => {
      const entityKey = `log:${partition}`;
      const trim = { type: 'HistoryTrimmed', findingType: 'va', before: at, throughSequence } as const;
      return { key: entityKey, partition, value: encodeIntake(event(trim, at, {}, { entityKey })) };
    }),
  );
  await foldAll();
  const { rows: trimmed } = await pool.query('select from history_trims where removed > 0');
  expect(trimmed).toHaveLength(rows.length);
}

const live = () => ({ ...database, close: async () => {} });
const verify = (listedMax?: number) =>
  verifySite(live(), log, { databaseUrl: database.url, ...(listedMax !== undefined && { listedMax }) });
const replay = (of: EventLog = log) => replaySite(live(), of, { databaseUrl: database.url });

async function foldAll(): Promise<void> {
  await new LogFold(live(), log).allTo(await log.ends(INTAKE_TOPIC));
}

async function rowsOf(table: string): Promise<string[]> {
  const { rows } = await database.pool.query(`select t::text as row from ${table} t order by 1`);
  return rows.map(({ row }) => row);
}

/** The database with another bound of its connections than the project's own, in ms. */
async function withBound<T>(
  bound: string,
  ms: number,
  work: (site: Database, databaseUrl: string) => Promise<T>,
): Promise<T> {
  const url = new URL(database.url);
  url.searchParams.set(bound, `${ms}`);
  const opened = openDatabase(url.href);
  try {
    return await work(opened, url.href);
  } finally {
    await opened.close();
  }
}

/** Locks a table for `ms` milliseconds after the first session waits for it. */
async function keep(table: string, ms: number): Promise<void> {
  const keeper = await database.pool.connect();
  await keeper.query(`begin; lock table ${table} in access exclusive mode`);
  void until('somebody to wait', async () => {
    const waiting = 'select from pg_locks where relation = $1::regclass and not granted';
    return (await keeper.query(waiting, [table])).rows.length > 0;
  })
    .then(() => setTimeout(ms))
    .finally(() => keeper.release(true));
}

/** The log with hooks before each read range, and each time that it is asked for its ends. */
function interceptedLog(told: {
  read?: (stretch: number) => Promise<void>;
  ends?: () => Promise<void>;
}): EventLog {
  async function* read(...given: Parameters<EventLog['read']>): AsyncGenerator<StoredRecord[]> {
    const [, , from, to] = given;
    await told.read?.(to - from);
    yield* log.read(...given);
  }
  const ends = async (topic: string) => {
    await told.ends?.();
    return log.ends(topic);
  };
  return { ...bound(log), read, ends };
}

/** The log; runs SQL after the shadow was made, more than once. */
const whileFolding = (sql: string): EventLog =>
  interceptedLog({
    ends: async () => {
      await database.pool.query(sql);
    },
  });

const bound = (of: EventLog): EventLog =>
  ({
    partitions: of.partitions,
    ends: of.ends.bind(of),
  }) as unknown as EventLog;

/** The sessions that hold the fold of a partition for a verification. */
async function holders(): Promise<number[]> {
  const { rows } = await database.pool.query(
    `select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
        and query like 'select next_offset from projection_positions%for update'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Whether a replay lets the projectors wait. */
async function isPausing(): Promise<boolean> {
  const { rows } = await database.pool.query(
    `select from pg_locks where relation = 'public.projection_positions'::regclass
        and mode = 'ShareRowExclusiveLock' and granted`,
  );
  return rows.length > 0;
}

/** Schemas of copies of the tables. */
async function shadows(): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select nspname from pg_namespace where nspname like 'posture%' order by 1`,
  );
  return rows.map(({ nspname }) => nspname);
}

const allRows = () => Promise.all(FOLDED_TABLES.map(({ name }) => rowsOf(name)));

describe('posture verify', () => {
  it('is clean if the tables are the fold of the log, and leaves no tables', async () => {
    await appendUpload();
    await appendUpload();
    await foldAll();
    const { rows, differing, positions } = await verify();
    expect(differing).toBe(0);
    expect(rows).toBeGreaterThan(60);
    expect(positions).toEqual(await log.ends(INTAKE_TOPIC));
    expect(await shadows()).toEqual([]);
  });

  it('compares at the position of the fold, also if it has not started or is behind', async () => {
    await appendUpload();
    expect((await verify()).differing).toBe(0);
    await foldAll();
    await appendUpload();
    expect((await verify()).differing).toBe(0);
  });

  it('finds every row that was changed, lost or made up, with both sides', async () => {
    await appendUpload();
    await foldAll();
    const { rows } = await database.pool.query('select asset_no, finding_no from findings order by 1, 2');
    const [changed, lost] = rows;
    const at = (row: typeof changed) => [row.asset_no, row.finding_no];
    await database.pool.query(
      `update findings set body = jsonb_set(body::jsonb, '{version}', '9')::json where asset_no = $1 and finding_no = $2`,
      at(changed),
    );
    await database.pool.query('delete from finding_seen where asset_no = $1 and finding_no = $2', at(lost));
    await database.pool.query(
      `insert into asset_seen (asset_no, last_seen) values (${1_000 * 1_024}, now())`,
    );
    const { differing, differences } = await verify();
    expect(differing).toBe(3);
    expect(differences.map(({ table, live, replayed }) => [table, live !== null, replayed !== null])).toEqual(
      expect.arrayContaining([
        ['findings', true, true],
        ['finding_seen', false, true],
        ['asset_seen', true, false],
      ]),
    );
    const finding = differences.find(({ table }) => table === 'findings')!;
    expect(finding.key).toEqual({ asset_no: changed.asset_no, finding_no: changed.finding_no });
    expect(finding.live).toMatchObject({ body: { version: 9 } });
    expect(finding.replayed).toMatchObject({ body: { version: 1 } });
    const counted = await verify(1);
    expect([counted.differing, counted.differences.length]).toEqual([3, 1]);
  });

  it('finds a total that differs, and does not compare totals while findings are counted; a replay has all', async () => {
    await appendUpload();
    await foldAll();
    const { pool } = database;
    await pool.query(
      `update finding_totals set findings = findings + 1
       where ctid = (select ctid from finding_totals order by partition, group_key, state limit 1)`,
    );
    const { differences, uncounted } = await verify();
    expect([differences.map(({ table, key }) => [table, Object.keys(key)]), uncounted]).toEqual([
      [['finding_totals', ['type', 'state', 'severity', 'group_key', 'partition']]],
      [],
    ]);
    await pool.query('update totals_progress set counted_assets = 0 where next_offset > 0');
    const counting = await verify();
    expect([counting.differing, counting.uncounted]).toEqual([0, [...Array(PARTITIONS).keys()]]);
    await replay();
    const { rows } = await pool.query(`select ${areTotalsExactSql()} as are_exact`);
    expect([rows[0].are_exact, await movedTotals(database)]).toEqual([true, await countedTotals(database)]);
  });

  it('accepts uploads whose changes an earlier version did not record; a replay records them', async () => {
    const { pool } = database;
    await appendUpload();
    await foldAll();
    const recorded = await rowsOf('upload_progress');
    await pool.query('update upload_progress set changes = null');
    expect((await verify()).differences).toEqual([]);
    await replay();
    expect(await rowsOf('upload_progress')).toEqual(recorded);
    // The earlier version continued an upload: it moves `seen` alone.
    await pool.query(
      `update upload_progress set changes = jsonb_set(changes::jsonb, '{seen}', '0')::json where partition = 0`,
    );
    expect((await verify()).differences).toEqual([]);
    const { rows } = await pool.query(
      `update upload_progress set changes = jsonb_set(changes::jsonb, '{counts}', '{}')::json
        where upload_id = (select min(upload_id::text)::uuid from upload_progress where partition > 0)
        returning upload_id, partition`,
    );
    expect((await verify()).differences).toMatchObject([{ table: 'upload_progress', key: rows[0] }]);
  });

  it('accepts digests that an earlier version has left or did not store; a replay stores all', async () => {
    const { pool } = database;
    await appendUpload();
    await foldAll();
    const rows = await allRows();
    await pool.query(`
      update finding_seen set digest = case when finding_no = 1 then gen_random_uuid() end;
      update projection_positions set digested_sequence = null`);
    expect((await verify()).differing).toBe(0);
    await replay();
    expect(await allRows()).toEqual(rows);
  });

  it('accepts findings whose times an earlier version did not store; a replay stores them', async () => {
    const { pool } = database;
    await appendUpload();
    await foldAll();
    const rows = await allRows();
    await pool.query(`
      alter table findings disable trigger findings_derivations;
      update findings set updated_ms = null, first_seen_ms = null, derived_version = null;
      alter table findings enable trigger findings_derivations`);
    expect((await verify()).differing).toBe(0);
    await replay();
    expect(await allRows()).toEqual(rows);
    await pool.query('update findings set first_seen_ms = first_seen_ms + 1 where finding_no = 1');
    const { differences } = await verify();
    expect(new Set(differences.map(({ table }) => table))).toEqual(new Set(['findings']));
  });

  it('takes severities and instants of any size, as older logs hold them', async () => {
    const severity = { ...instance().severity, value: 1e-50 };
    await append(
      upload(1, T0, [
        signal('small', 'fail', { observations: [observation('va', [instance('fail', { severity })])] }),
        signal('far', 'fail', { expiresAt: Date.parse('+010000-01-01T04:59:59Z') }),
        signal('long ago', 'fail', { lastSeen: Date.parse('0000-12-31T23:00:00Z') }),
      ]),
    );
    const projection = new Projection(database.db);
    for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries()) {
      await projection.open(partition);
      for await (const records of log.read(INTAKE_TOPIC, partition, 0, end))
        await projection.project(records);
    }
    const rows = await allRows();
    expect((await verify()).differences).toEqual([]);
    await replay();
    expect(await allRows()).toEqual(rows);
  });

  it('stops at a hole in the log and names its place', async () => {
    await appendUpload();
    await foldAll();
    await database.pool.query('delete from log_records where partition = 0 and "offset" = 10');
    await expect(verify()).rejects.toThrow(
      /^partition 0 ends at offset 10, but 11 is known: records are missing/,
    );
    await database.pool.query('delete from log_records where partition = 0 and "offset" = 3');
    await expect(verify()).rejects.toThrow(LogHoleError);
    await expect(verify()).rejects.toThrow(
      /^partition 0 continues at offset 4, but 3 is next: records are missing/,
    );
  });

  it('has time for tables whose comparison takes longer than a statement may', async () => {
    await appendUpload();
    await foldAll();
    let asked = 0;
    const of = interceptedLog({
      ends: async () => {
        asked += 1;
        if (asked === 1) await keep('finding_history', 2 * STATEMENT_MS);
      },
    });
    const { differing } = await withBound('query_timeout', STATEMENT_MS, (site) =>
      verifySite(site, of, { databaseUrl: database.url }),
    );
    expect(differing).toBe(0);
  });

  it('has time for trims that take longer than a statement may', async () => {
    await foldTrimmed();
    let asked = 0;
    const of = interceptedLog({
      ends: async () => {
        asked += 1;
        // Only trims use this table.
        if (asked === 1) await keep('posture_verify.history_trims', 2 * STATEMENT_MS);
      },
    });
    const { differing } = await withBound('query_timeout', STATEMENT_MS, (site, databaseUrl) =>
      verifySite(site, of, { databaseUrl }),
    );
    expect(differing).toBe(0);
  });

  it('trims a partition without a lock of the tables against the trims of another one', async () => {
    await foldTrimmed();
    const other = await database.pool.connect();
    await other.query(`set application_name = 'another fold'`);
    let asked = 0;
    const of = interceptedLog({
      ends: async () => {
        asked += 1;
        if (asked > 1) return;
        // As after an ANALYZE.
        await other.query('begin; lock table posture_verify.finding_history in share update exclusive mode');
      },
    });
    const verified = withBound('query_timeout', STATEMENT_MS, (site, databaseUrl) =>
      verifySite(site, of, { databaseUrl }),
    );
    void until('the end of the verification', async () => {
      const dropping = `select from pg_locks where relation = to_regclass('posture_verify.finding_history')
        and mode = 'AccessExclusiveLock' and not granted`;
      return (await other.query(dropping)).rows.length > 0;
    }).finally(() => other.release(true));
    expect((await verified).differing).toBe(0);
  });

  it('can pause a fold for longer than a transaction may be idle', async () => {
    await appendUpload();
    await foldAll();
    let folding: Promise<void> | undefined;
    const of = interceptedLog({
      read: async () => {
        if (folding || (await holders()).length === 0) return;
        await setTimeout(2 * IDLE_MS);
        folding = appendUpload().then(foldAll);
        // The fold waits for the holder; without a holder, it would end within this time.
        await setTimeout(2 * IDLE_MS);
      },
    });
    const { differing } = await withBound('idle_in_transaction_session_timeout', IDLE_MS, (site) =>
      verifySite(site, of, { databaseUrl: database.url }),
    );
    expect(differing).toBe(0);
    expect(folding).toBeDefined();
    await folding;
  });

  it('has read the position in its snapshot before the fold continues: Citus takes it with the first table', async () => {
    await appendUpload();
    await foldAll();
    const done: { connection: unknown; text: string }[] = [];
    const connect = async () => {
      const client = await database.pool.connect();
      const query = (...given: [string | { text: string }]) => {
        done.push({ connection: client, text: typeof given[0] === 'string' ? given[0] : given[0].text });
        return client.query(...(given as [string]));
      };
      const release = (isBroken?: boolean) => {
        done.push({ connection: client, text: 'release' });
        client.release(isBroken);
      };
      return Object.create(client, { query: { value: query }, release: { value: release } });
    };
    const pool = { connect, query: database.pool.query.bind(database.pool) } as unknown as Database['pool'];
    const { differing } = await verifySite({ ...live(), pool }, log, { databaseUrl: database.url });
    expect(differing).toBe(0);
    const holds = done.filter(({ text }) => text.includes('for update'));
    expect(holds).toHaveLength(PARTITIONS);
    for (const hold of holds) {
      const held = done.slice(done.indexOf(hold) + 1);
      const release = held.findIndex(
        ({ connection, text }) => connection === hold.connection && text === 'release',
      );
      const others = held.slice(0, release).filter(({ connection }) => connection !== hold.connection);
      expect(others.at(-1)!.text).toMatch(/from (public\.)?projection_positions/);
    }
  });

  it('fails if it has lost the connection that paused a fold, and reports no difference', async () => {
    await appendUpload();
    await foldAll();
    const of = interceptedLog({
      read: async () => {
        for (const pid of await holders()) {
          await database.pool.query('select pg_terminate_backend($1, 5000)', [pid]);
          await appendUpload();
          await foldAll();
        }
      },
    });
    const lost = verifySite(live(), of, { databaseUrl: database.url });
    expect(isConnectionError(await lost.catch((error: unknown) => error))).toBe(true);
  });

  it('folds most of the new records before it pauses the fold', async () => {
    await appendUpload();
    await foldAll();
    const held: number[] = [];
    let isBehind = false;
    const of = interceptedLog({
      read: async (stretch) => {
        if ((await holders()).length > 0) held.push(stretch);
        if (isBehind) return;
        isBehind = true;
        const signals = Array.from({ length: 1_100 }, () => signal('shared'));
        await append(upload(1_000, T0 + DAY_MS, signals, { entityKey: 'machine:web' }));
        await foldAll();
      },
    });
    expect((await verifySite(live(), of, { databaseUrl: database.url })).differing).toBe(0);
    expect(held).toHaveLength(PARTITIONS);
    expect(Math.max(...held)).toBeLessThan(1_000);
  });

  it('drops its tables if it is interrupted, however long the log takes', async () => {
    await appendUpload();
    await foldAll();
    let isReading = false;
    let endReading = () => {};
    const reading = new Promise<void>((resolve) => {
      endReading = resolve;
    });
    const read = () => {
      isReading = true;
      return reading;
    };
    const undone: (() => Promise<void>)[] = [];
    const interrupted = verifySite(live(), interceptedLog({ read }), {
      databaseUrl: database.url,
      undoable: (undo) => {
        undone.push(undo);
        return undo;
      },
    });
    const failed = expect(interrupted).rejects.toThrow();
    await until('the fold to read', async () => isReading);
    expect(await shadows()).toEqual(['posture_verify']);
    for (const undo of undone) await undo();
    expect(await shadows()).toEqual([]);
    endReading();
    await failed;
  });

  it('drops its tables also if a session of the interrupted fold takes its locks late', async () => {
    await appendUpload();
    await foldAll();
    const [other, late] = [await database.pool.connect(), await database.pool.connect()];
    await other.query(`set application_name = 'another program'`);
    const lateEnded = new Promise((resolve) => late.once('error', resolve));
    const tables = FOLDED_TABLES.map(({ name }) => `posture_verify.${name}`);
    const waited = async (): Promise<string | undefined> => {
      const { rows } = await other.query(
        `select relation::regclass::text as name from pg_locks
          where relation = any ($1::regclass[]) and not granted`,
        [tables],
      );
      return rows[0]?.name;
    };
    let undo = async () => {};
    let isUndone = false;
    const read = async () => {
      if (isUndone) return;
      isUndone = true;
      await other.query(`begin; lock table ${tables.join(', ')} in access share mode`);
      void undo();
      let first: string | undefined;
      await until('the drop to wait', async () => {
        first = await waited();
        return first !== undefined;
      });
      const free = tables.find((name) => name !== first)!;
      await late.query(`begin; lock table ${free} in access share mode`).catch(() => {});
      await other.query('commit');
    };
    const interrupted = verifySite(live(), interceptedLog({ read }), {
      databaseUrl: database.url,
      undoable: (given) => {
        undo = given;
        return given;
      },
    });
    await expect(interrupted).rejects.toThrow();
    await lateEnded;
    expect(await shadows()).toEqual([]);
    other.release();
    late.release(true);
  });

  it('drops what killed runs have left, but nothing of a run in progress', async () => {
    await database.pool.query(
      'create schema posture_checkpoint; create schema posture_replay; create schema posture_replaced',
    );
    const other = await database.pool.connect();
    await other.query(`select pg_advisory_lock(7305002, hashtext('posture_replay'))`);
    await verify();
    expect(await shadows()).toEqual(['posture_replaced', 'posture_replay']);
    other.release(true);
    await until('the lock to be free', async () => {
      await verify();
      return (await shadows()).length === 0;
    });
  });

  it('is rejected while another one works on the same database', async () => {
    await appendUpload();
    await foldAll();
    const both = await Promise.allSettled([verify(), verify()]);
    const refused = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(ShadowBusyError)]);
  });
});

describe('a log that is folded in bulk', () => {
  it('is written in pieces if small signals change a large finding, to the same rows as by the projector', async () => {
    const large = observation('va', [instance('fail', { key: 'host', evidence: 'x'.repeat(2 << 20) })]);
    const ports = Array.from({ length: 24 }, (_, port) =>
      observation('va', [instance('fail', { key: `tcp/${port}` })], { mode: 'merge' }),
    );
    const signals = [large, ...ports].map((one) => signal('large', 'fail', { observations: [one] }));
    await append(upload(1, T0, signals, { entityKey: 'machine:web' }));
    const ends = await log.ends(INTAKE_TOPIC);
    const partition = ends.indexOf(Math.max(...ends));
    expect(await bulkCopies(partition, ends[partition]!, 'finding_history')).toBe(4);
    for (const [one, end] of ends.entries()) await projectEach(one, end);
    expect(await verify()).toMatchObject({ differing: 0, positions: ends });
  });

  /** By how many statements the rows of a table get there. */
  async function bulkCopies(partition: number, end: number, table: string): Promise<number> {
    const connection = await database.pool.connect();
    const statements: string[] = [];
    const query = (...given: [string | { text: string }]) => {
      statements.push(typeof given[0] === 'string' ? given[0] : given[0].text);
      return connection.query(...(given as unknown as [string]));
    };
    const watched = { query, release: () => {} } as unknown as Connection;
    await connection.query('begin');
    const fold = new BulkFold(watched, partition);
    for await (const read of log.read(INTAKE_TOPIC, partition, 0, end)) await fold.take(read);
    await fold.finish();
    await connection.query('rollback');
    connection.release();
    return statements.filter((statement) => statement.startsWith(`copy ${table} `)).length;
  }

  /** As the projector does if each record arrives in its own batch. */
  async function projectEach(partition: number, end: number): Promise<void> {
    const projection = new Projection(database.db);
    await projection.open(partition);
    for (let next = 0; next < end; next += 1) {
      for await (const read of log.read(INTAKE_TOPIC, partition, next, next + 1))
        await projection.project(read);
    }
  }
});

describe('posture replay', () => {
  it('restores the state of the log, under the same names, and can be run again', async () => {
    await appendUpload();
    await appendUpload();
    await foldAll();
    const definitions = async () =>
      (
        await database.pool.query(
          `select tablename, indexname, indexdef, array_to_string(reloptions, ',') as options
             from pg_indexes join pg_class on relname = tablename where schemaname = 'public'
            union all
            select relname, tgname, pg_get_triggerdef(t.oid), null
             from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal
            union all
            select relname, stxname, pg_get_statisticsobjdef(s.oid),
                   (select count(*)::text from pg_stats_ext_exprs e where e.statistics_name = stxname)
             from pg_statistic_ext s join pg_class c on c.oid = stxrelid
            order by 1, 2`,
        )
      ).rows;
    await database.pool.query('analyze findings');
    const [rows, defined] = [await allRows(), await definitions()];
    for (const indexname of ['finding_seen_partition', 'findings_severity_rank']) {
      expect(defined).toContainEqual(expect.objectContaining({ indexname }));
    }
    await database.pool.query(`update findings set state = 'Qualified'; delete from asset_history`);
    expect((await verify()).differing).toBeGreaterThan(0);
    expect(await replay()).toMatchObject({ assets: HOSTS.length, findings: 3 * HOSTS.length });
    expect(await allRows()).toEqual(rows);
    expect(await definitions()).toEqual(defined);
    expect((await verify()).differing).toBe(0);
    await replay();
    expect(await allRows()).toEqual(rows);
    expect(await definitions()).toEqual(defined);
  });

  it('lowers positions of notifications that are after the end of a log that has lost records', async () => {
    await appendUpload();
    await foldAll();
    await database.pool.query('insert into notification_positions values (0, 1000000), (1, 0)');
    await replay();
    const { rows } = await database.pool.query('select * from notification_positions order by partition');
    const [end] = await log.ends(INTAKE_TOPIC);
    expect(rows).toEqual([
      { partition: 0, log_offset: end! - 1 },
      { partition: 1, log_offset: 0 },
    ]);
  });

  describe('of a log that has lost records', () => {
    const ANSWERED = '{"uploadId": "x"}';
    const replayLost = (of: EventLog) =>
      replaySite(live(), of, { databaseUrl: database.url, recordsLost: true });
    const noteKey = (key: string, id: string, answer: string | null) =>
      database.pool.query(
        `insert into idempotency_keys (credential_id, key, upload_id, body_sha256, received_at, answer)
         values ('0b1d6f0e-6c53-4d7a-9a36-2f4c9a1f5e08', $1, $2, '', now(), $3)`,
        [key, id, answer],
      );
    const keys = async () =>
      (
        await database.pool.query(
          'select key, answer is not null as answered from idempotency_keys order by 1',
        )
      ).rows;

    /** An upload of two records on one partition, as a gateway makes it. */
    async function appendAnswered(number: number, key: string): Promise<void> {
      const events = upload(number, T0, [signal('a'), signal('b')], { entityKey: 'machine:web' });
      await append(fullAssessment(events, 2));
      await noteKey(key, uploadId(number), ANSWERED);
    }

    it('forgets answers to uploads and watermarks of syncs only if that is said', async () => {
      await appendAnswered(1, 'whole');
      await appendAnswered(2, 'cut');
      await noteKey('gone', uploadId(3), ANSWERED);
      await noteKey('joined', uploadId(4), 'null');
      await noteKey('running', uploadId(5), null);
      await database.pool.query(
        `insert into syncs (id, integration_id, action, is_full, requested_at, stage, status, scope, watermark)
         values ($1, $1, 'scheduled', true, now(), 'COMPLETED', 0, 'of the account', 'w1')`,
        [uploadId(6)],
      );
      const scopes = async () => (await database.pool.query('select scope from syncs')).rows;
      await foldAll();
      const before = await keys();
      await replay();
      expect([await keys(), await scopes()]).toEqual([before, [{ scope: 'of the account' }]]);
      const { rows } = await database.pool.query(
        `delete from log_records where (partition, "offset") in (
           select partition, max("offset") from log_records
            where partition = (select partition from upload_progress where upload_id = $1) group by 1)
         returning partition, "offset"`,
        [uploadId(2)],
      );
      await database.pool.query('update log_ends set next_offset = $2 where partition = $1', [
        rows[0].partition,
        rows[0].offset,
      ]);
      await replayLost(log);
      expect([await keys(), await scopes()]).toEqual([
        [
          { key: 'cut', answered: false },
          { key: 'joined', answered: true },
          { key: 'running', answered: false },
          { key: 'whole', answered: true },
        ],
        [{ scope: null }],
      ]);
    });

    it('keeps the answers to uploads that come while the tables are replaced', async () => {
      await appendUpload();
      await foldAll();
      let count = 0;
      const ends: EventLog['ends'] = async (topic) => {
        const known = await log.ends(topic);
        count += 1;
        await appendAnswered(100 + count, `upload ${count}`);
        return known;
      };
      await replayLost(
        new Proxy(log, { get: (of, name) => (name === 'ends' ? ends : Reflect.get(of, name).bind(of)) }),
      );
      expect(count).toBeGreaterThan(1);
      expect(await keys()).toEqual(
        Array.from({ length: count }, (_, i) => ({ key: `upload ${i + 1}`, answered: true })),
      );
    });
  });

  it('has scores go that belong to no asset of the log, or to a time before it began', async () => {
    await appendUpload();
    await foldAll();
    const scored = (assetNo: string, partition: string, from: string, rest: string) =>
      database.pool.query(
        `insert into score_history (asset_no, partition, valid_from, type, attack_surface, department, location)
         select ${assetNo}, ${partition}, '${from}', '', '', '', '' ${rest}`,
      );
    await scored('1024 * 1000', '0', '2020-01-01T00:00Z', '');
    await scored('1024 * 1000 + 1', '1', '2020-01-02T00:00Z', '');
    await scored('1024 * 1000 + 1', '1', '2020-03-01T00:00Z', '');
    await scored(
      'asset_no',
      'partition',
      '2020-02-02T00:00Z',
      `from assets where entity_key = 'machine:web'`,
    );
    await scored('asset_no', 'partition', new Date(T0).toISOString(), 'from assets');
    const { rows: web } = await database.pool.query(
      `select asset_no from assets where entity_key = 'machine:web'`,
    );
    await replay();
    const { rows } = await database.pool.query('select asset_no, since from rescorings order by since');
    expect(rows).toEqual([
      { asset_no: 1_024_000, since: Date.parse('2020-01-01T00:00:00Z') },
      { asset_no: 1_024_001, since: Date.parse('2020-01-02T00:00:00Z') },
      { asset_no: web[0].asset_no, since: Date.parse('2020-02-02T00:00:00Z') },
    ]);
  });

  it('runs in parallel with a projector, which then continues from it', async () => {
    for (let i = 0; i < 5; i += 1) await appendUpload();
    const projection = new Projection(database.db);
    const failures: Error[] = [];
    const consumer = await log.consume(
      INTAKE_TOPIC,
      'projector',
      {
        assigned: (partition) => projection.open(partition),
        batch: (records) => projection.project(records),
        revoked: async (partition) => projection.close(partition),
      },
      { batchRecordsMax: 3, onPartitionFailed: (_, error) => failures.push(error) },
    );
    try {
      let isReplaying = true;
      const replaying = replay().finally(() => {
        isReplaying = false;
      });
      while (isReplaying) await appendUpload();
      await replaying;
      await appendUpload();
      const ends = await log.ends(INTAKE_TOPIC);
      await until('the fold', async () => {
        const { rows } = await database.pool.query(
          'select partition, next_offset from projection_positions order by partition',
        );
        return ends.every((end, partition) => rows[partition]?.next_offset === end);
      });
      expect(failures).toEqual([]);
    } finally {
      await consumer.stop();
    }
    expect((await verify()).differing).toBe(0);
  }, 60_000);

  it('is continued from its own tables by a projector that holds what it replaced', async () => {
    await appendUpload();
    await foldAll();
    await database.pool.query(
      `update findings set body = jsonb_set(body::jsonb, '{description}', '"wrong"')`,
    );
    const projection = new Projection(database.db);
    const foldOn = async () => {
      const { rows } = await database.pool.query(
        'select next_offset as next from projection_positions order by partition',
      );
      for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries()) {
        for (let { next } = rows[partition]; next < end; ) {
          for await (const read of log.read(INTAKE_TOPIC, partition, next, end)) {
            next = await projection.project(read);
          }
        }
      }
    };
    for (let partition = 0; partition < PARTITIONS; partition += 1) await projection.open(partition);
    await appendUpload();
    await foldOn();
    expect((await verify()).differing).toBeGreaterThan(0);
    await replay();
    await appendUpload();
    await foldOn();
    expect((await verify()).differing).toBe(0);
  });

  it('checks the folded tables before it pauses the projectors', async () => {
    await appendUpload();
    await foldAll();
    const before = await allRows();
    const projector = await database.pool.connect();
    await projector.query('begin; lock table projection_positions in share row exclusive mode');
    const lossy = interceptedLog({
      ends: async () => {
        await database.pool.query('delete from posture_replay.asset_history');
      },
    });
    const given = { lockMs: 100, pauseMs: 0, timeoutMs: 0 };
    const refused = replaySite(live(), lossy, { databaseUrl: database.url, swapping: given });
    await expect(refused).rejects.toThrow(ShadowCheckError);
    projector.release(true);
    expect(await allRows()).toEqual(before);
  });

  it('has time for tables whose check takes longer than a statement may', async () => {
    await appendUpload();
    await foldAll();
    let asked = 0;
    const of = interceptedLog({
      ends: async () => {
        asked += 1;
        // It has folded, and is about to check.
        if (asked === 3) await keep('posture_replay.finding_history', 2 * STATEMENT_MS);
      },
    });
    await withBound('query_timeout', STATEMENT_MS, (site, databaseUrl) =>
      replaySite(site, of, { databaseUrl }),
    );
    expect((await verify()).differing).toBe(0);
  });

  it('can pause the projectors for longer than a transaction may be idle', async () => {
    await appendUpload();
    await foldAll();
    let pauses = 0;
    const of = interceptedLog({
      ends: async () => {
        if (!(await isPausing())) return;
        pauses += 1;
        await setTimeout(2 * IDLE_MS);
      },
    });
    await withBound('idle_in_transaction_session_timeout', IDLE_MS, (site) =>
      replaySite(site, of, { databaseUrl: database.url }),
    );
    // A pause that cannot lock a table in time is repeated.
    expect(pauses).toBeGreaterThan(0);
    expect((await verify()).differing).toBe(0);
  });

  it('waits for readers that lock the tables in another order, and none of them fails', async () => {
    await appendUpload();
    await foldAll();
    const reader = await database.pool.connect();
    await reader.query('begin');
    await reader.query('select count(*) from finding_history');
    const replaying = replay();
    await until('the replay to wait for the reader', async () => {
      const { rows } = await database.pool.query(
        `select from pg_locks where relation = 'finding_history'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    const { rows } = await reader.query(
      'select count(*)::int as count from assets join asset_seen using (asset_no)',
    );
    expect(rows).toEqual([{ count: HOSTS.length }]);
    await reader.query('commit');
    reader.release();
    await replaying;
    expect((await verify()).differing).toBe(0);
  });

  it('holds no table for longer than a reader may wait, also if it has to wait for several', async () => {
    await appendUpload();
    await foldAll();
    const reader = await database.pool.connect();
    await reader.query('begin; select count(*) from findings');
    let isKept = false;
    const replaying = replay(
      interceptedLog({
        ends: async () => {
          if (isKept || !(await isPausing())) return;
          isKept = true;
          await Promise.all([keep('asset_seen', 350), keep('asset_history', 350)]);
        },
      }),
    );
    await until('the replay to hold a table', async () => {
      const { rows } = await database.pool.query(
        `select from pg_locks where relation = 'assets'::regclass and mode = 'AccessExclusiveLock' and granted`,
      );
      return rows.length > 0;
    });
    const read = await reader.query('select count(*)::int as count from assets').catch((error) => error);
    reader.release(true);
    await replaying;
    expect(read.rows).toEqual([{ count: HOSTS.length }]);
    expect((await verify()).differing).toBe(0);
  });

  it('waits for a long reader of the tables, folds new records, and swaps the tables when the reader is done', async () => {
    await appendUpload();
    await foldAll();
    const reader = await database.pool.connect();
    // A slow machine reads for longer than a transaction may be idle.
    await reader.query('set idle_in_transaction_session_timeout = 0');
    await reader.query('begin; select * from findings');
    let tries = 0;
    const replayed = replaySite(live(), log, {
      databaseUrl: database.url,
      swapping: { lockMs: 600, pauseMs: 10, timeoutMs: 60_000 },
      onBusy: () => {
        tries += 1;
        if (tries === 2) void appendUpload().then(() => reader.query('commit'));
      },
    });
    expect((await replayed).records).toBe((await log.ends(INTAKE_TOPIC)).reduce((sum, end) => sum + end, 0));
    expect(tries).toBeGreaterThanOrEqual(2);
    await reader.query('begin; select * from findings');
    const given = { lockMs: 10, pauseMs: 0, timeoutMs: 0 };
    const refused = replaySite(live(), log, { databaseUrl: database.url, swapping: given });
    await expect(refused).rejects.toMatchObject({ code: '55P03' });
    reader.release(true);
    expect((await verify()).differing).toBe(0);
  });

  it('changes nothing if the tables are migrated during the fold, and waits for a migration that runs', async () => {
    await appendUpload();
    await foldAll();
    await database.pool.query(`update findings set state = 'Qualified'`);
    const migrated = () =>
      whileFolding(
        `alter table finding_seen add column if not exists added text;
         create index if not exists finding_seen_added on finding_seen (added);
         insert into migrations (number, name, sha256) values (9999, '9999_added.sql', '') on conflict do nothing`,
      );
    // Its migration is one of a newer version to a run that begins later.
    const forgotten = () => database.pool.query('delete from migrations where number = 9999');
    await expect(replay(migrated())).rejects.toThrow(MigratedSinceError);
    await expect(verify()).rejects.toThrow('migrated by a newer version (9999_added.sql)');
    await forgotten();
    const checkpoint = checkpointSite(live(), migrated(), 'none', { databaseUrl: database.url });
    await expect(checkpoint).rejects.toThrow(MigratedSinceError);
    await forgotten();
    const verification = verifySite(live(), migrated(), { databaseUrl: database.url });
    await expect(verification).rejects.toThrow(MigratedSinceError);
    await forgotten();
    const { rows } = await database.pool.query(
      `select added, to_regclass('finding_seen_added') is not null as is_indexed from finding_seen limit 1`,
    );
    expect(rows).toEqual([{ added: null, is_indexed: true }]);
    const migrating = await database.pool.connect();
    await migrating.query('begin');
    await holdMigrations(migrating);
    let tries = 0;
    await replaySite(live(), log, {
      databaseUrl: database.url,
      swapping: { lockMs: 600, pauseMs: 10, timeoutMs: 60_000 },
      onBusy: () => {
        tries += 1;
        if (tries === 2) migrating.release(true);
      },
    });
    expect(tries).toBeGreaterThanOrEqual(2);
    expect((await verify()).differing).toBe(0);
  });

  it('keeps rights that were granted during the fold', async () => {
    await appendUpload();
    await replay(whileFolding('grant select on findings to public'));
    const { rows } = await database.pool.query(
      `select privilege_type from pg_class, aclexplode(relacl) where pg_class.oid = 'findings'::regclass and grantee = 0`,
    );
    expect(rows).toEqual([{ privilege_type: 'SELECT' }]);
  });

  it('leaves the live tables as they are if it is interrupted, and can be run again', async () => {
    await appendUpload();
    await foldAll();
    await database.pool.query(`update findings set state = 'Qualified'`);
    const before = await allRows();
    await expect(replay(failingAfter(1))).rejects.toThrow('the log broke off');
    expect(await allRows()).toEqual(before);
    await replay();
    expect((await verify()).differing).toBe(0);
  });

  /** A log whose reads fail after `batches` batches. */
  function failingAfter(batches: number): EventLog {
    async function* read(...given: Parameters<EventLog['read']>): AsyncGenerator<StoredRecord[]> {
      for await (const records of log.read(...given)) {
        if (batches-- <= 0) throw new Error('the log broke off');
        yield records;
      }
    }
    return { ...bound(log), read };
  }
});
