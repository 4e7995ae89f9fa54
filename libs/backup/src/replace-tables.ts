import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '#libs/durable-file';
import {
  BACKUP_FILE,
  type Checkpoint,
  CheckpointFile,
  type CheckpointTable,
  removeUnfinished,
  writeCheckpoint,
} from '#libs/log-archive';

/**
 * Writes a file of tables of a backup. It is read back before it takes the place of the last one. What
 * a killed call has left is deleted: it may contain keys that were destroyed since.
 * @throws as `writeCheckpoint`; FileError if it is damaged
 */
export async function replaceTables(
  path: string,
  header: Checkpoint,
  tables: AsyncIterable<CheckpointTable>,
): Promise<void> {
  const fresh = `${path}.new`;
  try {
    await removeUnfinished(fresh);
    await writeCheckpoint(fresh, header, tables, BACKUP_FILE);
    await (await CheckpointFile.open(fresh, BACKUP_FILE)).verify();
    await rename(fresh, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(fresh, { force: true });
  }
}
