import { rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
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
  const fresh = freshOf(path);
  try {
    await removeFresh(path);
    await writeCheckpoint(fresh, header, tables, BACKUP_FILE);
    await (await CheckpointFile.open(fresh, BACKUP_FILE)).verify();
    await rename(fresh, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Deletes such a file, and what a killed call has left of it. */
export async function removeTables(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeFresh(path);
}

const freshOf = (path: string): string => `${path}.new`;

async function removeFresh(path: string): Promise<void> {
  const fresh = freshOf(path);
  await rm(fresh, { force: true });
  await removeUnfinished(dirname(path), (name) => name === basename(fresh));
}
