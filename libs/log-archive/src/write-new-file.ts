import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { isFullDisk, StorageError, syncFolder } from '#libs/durable-file';

/**
 * The name of a file until it is complete: of this run alone, and not one that another user can foresee. A file that a
 * killed process has left can be deleted.
 */
const unfinishedName = (path: string): string => `${path}.${randomUUID()}.unfinished`;
/** With the name of the file; earlier versions used no number. */
const UNFINISHED = /^(.+?)\.(?:[\da-f-]{36}\.)?unfinished$/;

/**
 * Makes a file that appears under its name when it is whole and on the disk, name included; only its owner may read
 * it. If the writing fails nothing is left.
 * @param write must end the stream
 * @throws errors of the writing, and of the file system; StorageError if the disk is full
 */
export async function writeNewFile<T>(path: string, write: (stream: Writable) => Promise<T>): Promise<T> {
  const unfinished = unfinishedName(path);
  const file = await open(unfinished, 'wx', 0o600);
  try {
    const written = await write(file.createWriteStream({ flush: true }));
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw isFullDisk(error as Error) ? new StorageError(path, error as Error) : error;
  }
}

/**
 * Deletes what killed processes have left of files; no other process may be writing one of them.
 * @param isOne whether it is the name of such a file
 */
export async function removeUnfinished(folder: string, isOne: (name: string) => boolean): Promise<void> {
  for (const found of await readdir(folder)) {
    const name = UNFINISHED.exec(found)?.[1];
    if (name !== undefined && isOne(name)) await rm(join(folder, found));
  }
}
