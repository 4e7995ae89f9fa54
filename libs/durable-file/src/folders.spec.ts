import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { KNOWS_SYNCED_PATHS, syncedPaths } from '../../../test/support/synced-paths.ts';
import { makeFolder } from './folders.ts';
import { StorageError } from './storage-error.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

it('creates missing parents with the mode, and puts the name of each on the disk', async () => {
  const [parent, made] = [join(folder, 'a'), join(folder, 'a', 'b')];
  const synced = KNOWS_SYNCED_PATHS ? await syncedPaths() : [parent, folder];
  await makeFolder(made, 0o700);
  expect(synced).toEqual([parent, folder]);
  for (const path of [parent, made]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  await makeFolder(made, 0o755);
  expect((await stat(made)).mode & 0o777).toBe(0o700);
});

it('names the path that it cannot create', async () => {
  await writeFile(join(folder, 'file'), '');
  const making = makeFolder(join(folder, 'file', 'a'));
  await expect(making).rejects.toThrow(StorageError);
  await expect(making).rejects.toThrow(
    `cannot write ${join(folder, 'file', 'a')} (ENOTDIR: not a directory)`,
  );
});
