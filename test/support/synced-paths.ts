import { open, readlink } from 'node:fs/promises';
import { jest } from '@jest/globals';

/** Whether `syncedPaths` knows the path of a file handle. */
export const KNOWS_SYNCED_PATHS = process.platform === 'linux';

/**
 * Paths of files and folders in the order in which this process puts them on the disk, from now on; the last ones are added
 * as it continues. Linux only. `jest.restoreAllMocks` ends it.
 */
export async function syncedPaths(): Promise<string[]> {
  const synced: string[] = [];
  const any = await open('.');
  const handles = Object.getPrototypeOf(any) as typeof any;
  await any.close();
  const { sync } = handles;
  jest.spyOn(handles, 'sync').mockImplementation(async function (this: typeof any) {
    await sync.call(this);
    synced.push(await readlink(`/proc/self/fd/${this.fd}`));
  });
  return synced;
}
