import { type Database, migrate } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC, isBeingImported, isBeingRestored, RESTORE_SCHEMA, whileOpening } from '#libs/intake';
import { assertEmptyLog, importLog } from '#libs/log-archive';
import { type Queryable, type Replay, replaySite } from '#libs/replay';
import type { Backup, LogCut } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { type EndedCredentials, endCredentials } from './end-credentials.ts';
import { type ErasedAgain, eraseAgain } from './erasure-list.ts';
import { loadTables } from './load-tables.ts';
import { pauseWebhooks } from './pause-webhooks.ts';
import { placeNotifications } from './place-notifications.ts';
import { placeWebhooks } from './place-webhooks.ts';
import { removeEndedPeople } from './remove-ended-people.ts';
import { removeLaterData } from './remove-later-data.ts';

export interface RestoreOptions {
  databaseUrl: string;
  /** What `Backup.verify` has found. */
  cut: LogCut;
  /** The instant of the cut, in epoch milliseconds; omitted: everything. */
  until?: number | undefined;
  /** Subjects that were erased, also after the backup: their keys are destroyed again. Default: none. */
  erased?: readonly string[];
  /**
   * Whether the log was not lost: it is left as it is, and folded to its end. It must continue from the backup. Default: false.
   */
  keepsLog?: boolean;
  /** Opens the log of the target, once its tables are there. The restore closes it. */
  openLog: () => Promise<EventLog>;
  /** Called as the records are appended, and folded. */
  onImported?: (records: number) => void;
  onFolded?: (records: number, of: number) => void;
}

export interface Restored extends Replay, ErasedAgain {
  credentials: EndedCredentials;
}

/**
 * Puts a verified backup into an empty database and an empty log, or one that was kept, and folds the log. After an
 * interruption, no program starts on the partly restored site, and the same call resumes.
 * @throws BackupError, LogNotEmptyError if something is in the target, or was made by a later version: nothing was
 *   changed then
 * @throws FileError if the backup was changed meanwhile; as `importLog` and `replaySite`
 */
export async function restoreSite(
  live: Database,
  backup: Backup,
  options: RestoreOptions,
): Promise<Restored> {
  const { cut, until, erased = [], keepsLog = false, databaseUrl, openLog, onImported, onFolded } = options;
  const keys = backup.keys?.checksum ?? null;
  const target = JSON.stringify({ ...cut.source.extent, until, keepsLog, keys });
  if (!(await isGoingOn(live, target))) await assertEmpty(live);
  await migrate(live.pool);
  return whileOpening(live.db, async () => {
    const log = await openLog();
    try {
      if (!(await isBeingRestored(live.db))) {
        await (keepsLog ? assertGoesOn(log, backup) : assertEmptyLog(log));
        await begin(live, backup, cut, target, erased);
      } else await noteErased(live.pool, erased);
      if (!keepsLog) await importLog(cut.source, log, { onRecords: onImported });
      const replayed = await replaySite(live, log, { databaseUrl, ...(onFolded && { onFolded }) });
      await placeWebhooks(live.db, log.partitions);
      return { ...replayed, ...(await finish(live, { until, keepsLog })) };
    } finally {
      await log.close();
    }
  });
}

/** @throws BackupError if the restore that was interrupted is another one */
async function isGoingOn({ db, pool }: Database, target: string): Promise<boolean> {
  if (!(await isBeingRestored(db))) return false;
  const { rows } = await pool.query(`select target from ${RESTORE_SCHEMA}.begun`);
  if (rows[0]?.target === target) return true;
  throw new BackupError(
    'another restore into this database was interrupted: run the same command again, with the same backup, keys and options, or name an empty database',
  );
}

/** The existing tables of the service, of any version. */
async function assertEmpty({ db, pool }: Database): Promise<void> {
  if (await isBeingImported(db)) {
    throw new BackupError(
      'the database is not empty: a `posture import-log` into it has not ended. Restore into a new database',
    );
  }
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables
      where schemaname = 'public' and tablename <> 'migrations' order by tablename`,
  );
  for (const { name } of rows) {
    // Without a subquery: Citus refuses one outside of FROM and WHERE.
    const found = await pool.query(`select 1 from public.${name} limit 1`);
    if (found.rows.length === 0) continue;
    throw new BackupError(`the database is not empty: ${name} has rows. Restore into a new database`);
  }
}

/** By the last record of each partition that the backup was made of. */
async function assertGoesOn(log: EventLog, { tables }: Backup): Promise<void> {
  for (const [partition, { next, before, head }] of tables.positions.entries()) {
    let found: Buffer | undefined;
    for await (const [record] of log.read(INTAKE_TOPIC, partition, next - 1, next)) {
      found = tables.chain(before, record!);
    }
    if (found?.equals(head)) continue;
    throw new BackupError(
      `the log does not continue the backup: partition ${partition}, offset ${next - 1} is ${found ? 'a different record' : 'missing'}`,
    );
  }
}

/** The tables outside the log, and the mark that prevents programs from starting until the log is restored. */
async function begin(
  { pool }: Database,
  backup: Backup,
  { source }: LogCut,
  target: string,
  erased: readonly string[],
): Promise<void> {
  const { logId, ends } = source.extent;
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    await connection.query(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    await connection.query(
      `create schema ${RESTORE_SCHEMA}; create table ${RESTORE_SCHEMA}.begun (target text not null);
       create table ${RESTORE_SCHEMA}.erased (subject text primary key)`,
    );
    await connection.query(`insert into ${RESTORE_SCHEMA}.begun values ($1)`, [target]);
    await noteErased(connection, erased);
    await loadTables(connection, backup.tables);
    if (backup.keys) await loadTables(connection, backup.keys);
    await pauseWebhooks(connection);
    await connection.query('insert into log_identity (log_id, partitions) values ($1, $2)', [
      logId,
      ends.length,
    ]);
    await connection.query('commit');
  } finally {
    connection.release(true);
  }
}

/** The lists of every call count: the one that ends the restore may name fewer. */
async function noteErased(connection: Queryable, erased: readonly string[]): Promise<void> {
  await connection.query(
    `insert into ${RESTORE_SCHEMA}.erased select unnest($1::text[]) on conflict do nothing`,
    [erased],
  );
}

/** One may have run after the backup: the fold would drop what it uploads again under its id. */
const WAITING_SYNCS = `delete from syncs where stage = 'QUEUED'`;

async function finish(
  { pool }: Database,
  { until, keepsLog }: { until: number | undefined; keepsLog: boolean },
): Promise<Pick<Restored, 'credentials' | keyof ErasedAgain>> {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    await connection.query('set local statement_timeout = 0');
    if (until !== undefined) await removeLaterData(connection, until);
    if (keepsLog) await connection.query(WAITING_SYNCS);
    await placeNotifications(connection);
    const credentials = await endCredentials(connection, until !== undefined);
    const { rows } = await connection.query(`select subject from ${RESTORE_SCHEMA}.erased`);
    const erased = await eraseAgain(
      connection,
      rows.map(({ subject }) => subject),
    );
    await removeEndedPeople(connection);
    await connection.query(`drop schema ${RESTORE_SCHEMA} cascade`);
    await connection.query('commit');
    return { credentials, ...erased };
  } finally {
    connection.release(true);
  }
}
