import type { Database } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import type { CheckpointFile } from '#libs/log-archive';
import { assertContinues, type ContinuesOptions } from './assert-continues.ts';
import { type Comparison, comparePartition } from './compare-partition.ts';
import { LogFold } from './fold-log.ts';
import { assertLiveReaches, livePositions } from './live-positions.ts';
import { loadCheckpoint } from './load-checkpoint.ts';
import { type ClockNotes, clockNotes } from './mend/clock-notes.ts';
import type { Queryable } from './queryable.ts';
import { assertNotMigrated, makeShadow, type ShadowOptions } from './shadow.ts';

const SCHEMA = 'posture_verify';
/** Records that may remain for the time in which the fold is paused. */
const REMAINDER_MAX = 1_000;

export interface VerifyOptions extends ContinuesOptions, ShadowOptions {
  /** A checkpoint to begin from; omitted: the log is folded from offset 0. */
  from?: CheckpointFile | undefined;
  /** Differences to answer with their rows; all are counted. Default: 100. */
  listedMax?: number;
  /** Called as the log is folded. */
  onFolded?: (records: number, of: number) => void;
}

/** A partition without a position, which no lock can pause, was folded before the snapshot of its rows. */
export class FoldedSinceError extends Error {
  override name = 'FoldedSinceError';
  constructor(partition: number, position: number, seen: number) {
    super(
      `partition ${partition} was folded from offset ${position} to ${seen} before it could be compared: run the command again`,
    );
  }
}

/** Result of the comparison of a whole site. */
export interface Verification extends Comparison {
  /** Partition → the position at which live tables and log were compared. */
  positions: number[];
  /** Partition → records that the log had when the verification began, and that the live tables had not folded yet. */
  unfolded: number[];
  /** With the events of the folded records that a wrong clock had stamped, and that have no effect. */
  clocks: ClockNotes & { setAside: number };
}

/**
 * Folds the log into a shadow and compares each row with the live tables, partition by partition, each at one position.
 * The site may be in use: the fold of a partition is paused until the shadow has folded its last records, and its state
 * at that time is compared.
 * @throws ShadowBusyError, MigratedSinceError, FoldedSinceError, LogHoleError, RecordsGoneError, UnknownRecordError, LogUnavailableError; FileError,
 *   CheckpointError, also if the live tables have not reached the checkpoint yet; an error of the connection, also if
 *   the one that paused a fold was lost
 */
export async function verifySite(
  live: Database,
  log: EventLog,
  { databaseUrl, undoable, from, listedMax = 100, onFolded = () => {}, ...checking }: VerifyOptions,
): Promise<Verification> {
  if (from) await assertContinues(from, live, log, checking);
  const shadow = await makeShadow(live, { databaseUrl, undoable }, SCHEMA, 'unlogged');
  try {
    const logged = await log.ends(INTAKE_TOPIC);
    const ends = await livePositions(live, log);
    if (from) {
      assertLiveReaches(ends, from);
      await loadCheckpoint(shadow, from);
    }
    const fold = new LogFold(shadow.database, log, { from: from?.positions.map(({ next }) => next) });
    const total = ends.reduce((sum, end) => sum + end, 0) - (from?.records ?? 0);
    onFolded(0, total);
    await fold.allTo(ends, (records) => onFolded(records, total));
    const clocks = { ...(await clockNotes(live.db)), setAside: 0 };
    const result: Verification = {
      ...{ rows: 0, differing: 0, differences: [], uncounted: [] },
      positions: [],
      unfolded: [],
      clocks,
    };
    for (const partition of ends.keys()) {
      await catchUp(live, log, fold, partition);
      const snapshot = await snapshotAtFold(live, fold, partition);
      try {
        const { position, connection } = snapshot;
        const listed = listedMax - result.differences.length;
        const comparison = await comparePartition(connection, SCHEMA, partition, listed);
        result.positions.push(position);
        result.unfolded.push(Math.max(0, logged[partition]! - position));
        result.rows += comparison.rows;
        result.differing += comparison.differing;
        result.differences.push(...comparison.differences);
        result.uncounted.push(...comparison.uncounted);
      } finally {
        snapshot.connection.release(true);
      }
    }
    // Rows of another version differ in every migrated table.
    await assertNotMigrated(live.pool, shadow);
    clocks.setAside = fold.setAside;
    return result;
  } finally {
    await shadow.drop();
  }
}

/** Folds a partition almost to the position of the live tables: they continue while others are compared. */
async function catchUp(live: Database, log: EventLog, fold: LogFold, partition: number): Promise<void> {
  const livePosition = async () => (await livePositions(live, log))[partition]!;
  let position: number;
  do {
    position = await livePosition();
    await fold.to(partition, position);
  } while ((await livePosition()) - position > REMAINDER_MAX);
}

async function positionIn(connection: Queryable, partition: number, lock = ''): Promise<number> {
  const { rows } = await connection.query(
    `select next_offset from projection_positions where partition = $1 ${lock}`,
    [partition],
  );
  return rows[0]?.next_offset ?? 0;
}

/** A connection that sees a partition of the live tables exactly at the position of the shadow. */
async function snapshotAtFold({ pool }: Database, fold: LogFold, partition: number) {
  const holding = await pool.connect();
  try {
    await holding.query('begin; set local idle_in_transaction_session_timeout = 0');
    // The writer of the partition first updates this row, so it waits.
    const position = await positionIn(holding, partition, 'for update');
    await fold.to(partition, position);
    const connection = await pool.connect();
    try {
      await connection.query('begin isolation level repeatable read read only');
      // Checksums of a large partition take their time; the snapshot begins with the statement after this,
      // and that of Citus with the first one that reads a table.
      await connection.query('set local statement_timeout = 0');
      const seen = await positionIn(connection, partition);
      // If it had been lost, the fold would have continued, and its changes would look like differences.
      await holding.query('select 1');
      if (seen !== position) throw new FoldedSinceError(partition, position, seen);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    return { position, connection };
  } finally {
    holding.release(true);
  }
}
