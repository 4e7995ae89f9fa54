import type { Database } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type Checkpoint, type CheckpointFile, writeCheckpoint } from '#libs/log-archive';
import { CHECKPOINT_TABLES } from '#libs/tables';
import { assertContinues, type ContinuesOptions } from './assert-continues.ts';
import { checkShadow } from './check-shadow.ts';
import { tablesOf } from './copy-rows.ts';
import { LogFold } from './fold-log.ts';
import { FoldedChains } from './folded-chains.ts';
import { loadCheckpoint } from './load-checkpoint.ts';
import { inPlainSnapshot } from './plain-snapshot.ts';
import { assertNotMigrated, makeShadow, type ShadowOptions } from './shadow.ts';
import { readSiteVersion } from './site-version.ts';

const SCHEMA = 'posture_checkpoint';

export interface CheckpointOptions extends ContinuesOptions, ShadowOptions {
  /** An earlier checkpoint to continue from; omitted: the log is folded from offset 0. */
  from?: CheckpointFile | undefined;
  /** Called as the log is folded. */
  onFolded?: (records: number, of: number) => void;
}

export interface CreatedCheckpoint extends Checkpoint {
  /** Number of records that it covers; `folded` of them were folded to create it. */
  records: number;
  folded: number;
}

/**
 * Folds the log, up to where each partition ends at the call, into a shadow, and writes the result into a file. Rows
 * are in the order of their keys: the same position gives the same file, from any start of the fold.
 * @param path must not exist; it appears when it is complete
 * @throws ShadowBusyError, ShadowCheckError, MigratedSinceError, LogHoleError, RecordsGoneError, UnknownRecordError,
 *   LogUnavailableError; FileError, CheckpointError of the earlier checkpoint; errors of the file system
 */
export async function checkpointSite(
  live: Database,
  log: EventLog,
  path: string,
  { databaseUrl, undoable, from, onFolded = () => {}, ...checking }: CheckpointOptions,
): Promise<CreatedCheckpoint> {
  if (from) await assertContinues(from, live, log, checking);
  const shadow = await makeShadow(live, { databaseUrl, undoable }, SCHEMA, 'unlogged');
  try {
    if (from) await loadCheckpoint(shadow, from);
    const ends = await log.ends(INTAKE_TOPIC);
    const chains = new FoldedChains(ends.length, from?.positions);
    const begins = from?.positions.map(({ next }) => next);
    const fold = new LogFold(shadow.database, log, { from: begins, onRead: chains.take });
    const records = ends.reduce((sum, end) => sum + end, 0);
    const of = records - (from?.records ?? 0);
    onFolded(0, of);
    await fold.allTo(ends, (folded) => onFolded(folded, of));
    const checkpoint = { ...(await readSiteVersion(live)), positions: chains.positions };
    // Afterwards: the version is that of the rows.
    await assertNotMigrated(live.pool, shadow);
    await inPlainSnapshot(shadow.database, async (connection) => {
      await checkShadow(connection, SCHEMA);
      await writeCheckpoint(path, checkpoint, tablesOf(connection, SCHEMA, CHECKPOINT_TABLES));
    });
    return { ...checkpoint, records, folded: fold.folded };
  } finally {
    await shadow.drop();
  }
}
