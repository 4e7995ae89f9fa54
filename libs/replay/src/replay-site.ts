import { setTimeout } from 'node:timers/promises';
import { type Database, holdMigrations, isLockConflict } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import type { CheckpointFile } from '#libs/log-archive';
import { FOLDED_TABLES } from '#libs/tables';
import { assertContinues, type ContinuesOptions } from './assert-continues.ts';
import { checkShadow } from './check-shadow.ts';
import { copyRights } from './copy-rights.ts';
import { moveStatistics, triggersOf } from './copy-table.ts';
import { LogFold } from './fold-log.ts';
import { answeredUploads, forgetLost } from './forget-lost.ts';
import { loadCheckpoint } from './load-checkpoint.ts';
import { lockLiveTables } from './lock-live-tables.ts';
import { longQuery } from './long-query.ts';
import { inPlainSnapshot } from './plain-snapshot.ts';
import type { Queryable } from './queryable.ts';
import { assertNotMigrated, makeShadow, REPLACED, type Shadow, type ShadowOptions } from './shadow.ts';

const SCHEMA = 'posture_replay';
/** Of Citus, for which a transaction may change several tables only so; without meaning elsewhere. */
const ONE_SHARD_AT_A_TIME = `citus.multi_shard_modify_mode = 'sequential'`;
/** Left for the time in which the projectors wait. */
const REMAINDER_MAX = 1_000;
/** The projectors wait during an attempt, and fold new records between two of them. */
const SWAPPING: Swapping = { lockMs: 10_000, pauseMs: 3_000, timeoutMs: 600_000 };

/** How the live tables are taken from their readers. */
interface Swapping {
  /** For each lock of a try. */
  lockMs: number;
  /** Between two tries. */
  pauseMs: number;
  /** From the first try to the beginning of the last. */
  timeoutMs: number;
}

export interface ReplayOptions extends ContinuesOptions, ShadowOptions {
  /** A checkpoint to begin from; omitted: the log is folded from offset 0. */
  from?: CheckpointFile | undefined;
  /** The log has lost records that the live tables have: what other tables conclude from them ends. */
  recordsLost?: boolean | undefined;
  /** Called as the log is folded. */
  onFolded?: (records: number, of: number) => void;
  /** Called if the live tables are in use for too long, and it is tried again. */
  onBusy?: () => void;
  /** Default: 10 s, 3 s, 10 minutes. */
  swapping?: Swapping;
}

export interface Replay {
  /** Records of the log that were folded; those before a checkpoint were not. */
  records: number;
  assets: number;
  findings: number;
}

/**
 * Folds the whole log, or the records after a checkpoint, into a shadow while the site continues, checks it, and
 * replaces the live tables with it in one transaction. If interrupted before, it leaves the live tables unchanged, and
 * can be run again; projectors continue at the position of the shadow.
 * @throws ShadowBusyError, MigratedSinceError, LogHoleError, RecordsGoneError, UnknownRecordError,
 *   LogUnavailableError; an error of PostgreSQL (55P03) if the live tables could not be taken from their readers for 10
 *   minutes, or were being migrated; FileError, CheckpointError
 */
export async function replaySite(
  live: Database,
  log: EventLog,
  {
    databaseUrl,
    undoable,
    from,
    recordsLost = false,
    onFolded = () => {},
    onBusy = () => {},
    swapping = SWAPPING,
    ...checking
  }: ReplayOptions,
): Promise<Replay> {
  if (from) await assertContinues(from, live, log, checking);
  const shadow = await makeShadow(live, { databaseUrl, undoable }, SCHEMA, 'logged');
  try {
    if (from) await loadCheckpoint(shadow, from);
    const fold = new LogFold(shadow.database, log, { from: from?.positions.map(({ next }) => next) });
    const begin = from?.records ?? 0;
    const catchUp = async () => {
      do {
        const ends = await log.ends(INTAKE_TOPIC);
        const records = total(ends) - begin;
        onFolded(fold.folded, records);
        await fold.allTo(ends, (folded) => onFolded(folded, records));
      } while (total(await log.ends(INTAKE_TOPIC)) - begin - fold.folded > REMAINDER_MAX);
    };
    await catchUp();
    // Before the projectors are paused, because it reads everything; newer records are folded afterwards.
    await inPlainSnapshot(shadow.database, (connection) => checkShadow(connection, SCHEMA));
    for (const { name } of FOLDED_TABLES) await shadow.database.pool.query(`analyze ${SCHEMA}.${name}`);
    await catchUp();
    const deadline = performance.now() + swapping.timeoutMs;
    for (;;) {
      const isLast = performance.now() > deadline;
      try {
        await swapIn(live, shadow, log, fold, { lockMs: swapping.lockMs, recordsLost });
        break;
      } catch (error) {
        if (isLast || !isLockConflict(error)) throw error;
      }
      onBusy();
      await setTimeout(swapping.pauseMs);
      await catchUp();
    }
    return { records: fold.folded, ...(await inPlainSnapshot(live, countRows)) };
  } finally {
    await shadow.drop();
  }
}

const total = (ends: number[]): number => ends.reduce((sum, end) => sum + end, 0);

async function swapIn(
  { pool }: Database,
  shadow: Shadow,
  log: EventLog,
  fold: LogFold,
  { lockMs, recordsLost }: Pick<Swapping, 'lockMs'> & { recordsLost: boolean },
): Promise<void> {
  const swapping = await pool.connect();
  try {
    await swapping.query('begin');
    await swapping.query(`
      set local lock_timeout = ${lockMs};
      set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = 0;
      set local ${ONE_SHARD_AT_A_TIME}`);
    await holdMigrations(swapping);
    await assertNotMigrated(swapping, shadow);
    // Every batch of a projector begins with a lock of this table: from here on no batch is in progress, and none has
    // another lock.
    await swapping.query('lock table public.projection_positions in share row exclusive mode');
    // So does the scorer with these rows. Scores follow from the folded tables: all of them are processed again.
    await swapping.query('update scored_partitions set asset_sequence = 0, finding_sequence = 0');
    const answered = recordsLost ? await answeredUploads(swapping) : [];
    const ends = await log.ends(INTAKE_TOPIC);
    await fold.allTo(ends);
    // If the log has lost records, other acts get their offsets. Until the commit, no gateway notifies of acts.
    await swapping.query(
      'update notification_positions set log_offset = least(log_offset, ($1::bigint[])[partition + 1] - 1)',
      [ends],
    );
    await lockLiveTables(swapping, lockMs);
    await swapping.query(`create schema ${REPLACED}`);
    for (const { name } of FOLDED_TABLES) {
      await copyRights(swapping, name, SCHEMA);
      const triggers = await triggersOf(swapping, name);
      await swapping.query(`alter table public.${name} set schema ${REPLACED}`);
      await moveStatistics(swapping, name, 'public', REPLACED);
      await swapping.query(`alter table ${SCHEMA}.${name} set schema public`);
      await moveStatistics(swapping, name, SCHEMA, 'public');
      for (const trigger of triggers) await swapping.query(trigger);
    }
    await rescoreBeginnings(swapping);
    if (recordsLost) await forgetLost(swapping, answered);
    await swapping.query('commit');
  } finally {
    swapping.release(true);
  }
}

/**
 * Deletes scores that no history corrects: those from before the current beginning of an asset, and those of assets
 * that no longer exist.
 */
async function rescoreBeginnings(connection: Queryable): Promise<void> {
  await connection.query(
    longQuery(`
    insert into public.rescorings as r (partition, asset_no, since)
    select s.partition, s.asset_no, min(s.valid_from)
    from public.score_history s
    left join (
      select partition, asset_no, min(at) as at from public.asset_history group by partition, asset_no
    ) began using (partition, asset_no)
    where s.valid_from < coalesce(began.at, 'infinity')
    group by s.partition, s.asset_no
    on conflict (partition, asset_no) do update set since = least(r.since, excluded.since)`),
  );
}

async function countRows(connection: Queryable): Promise<{ assets: number; findings: number }> {
  const { rows } = await connection.query(
    longQuery('select (select count(*) from assets) as assets, (select count(*) from findings) as findings'),
  );
  return rows[0]!;
}
