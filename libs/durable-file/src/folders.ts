import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StorageError } from './storage-error.ts';

/** Puts the names in a folder on the disk. Windows cannot, and needs it less: NTFS logs names. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Creates a folder and its missing parents, so that they survive a power loss.
 * @param mode of new folders; omitted: as the umask of the process says
 * @throws StorageError
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  try {
    const first = await mkdir(folder, { recursive: true, mode });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made))
      await syncFolder(dirname(made));
  } catch (error) {
    throw new StorageError(folder, error as NodeJS.ErrnoException);
  }
}
