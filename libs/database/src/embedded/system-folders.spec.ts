import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fileOf, systemFolders } from './system-folders.ts';

let root: string;
const at = (...names: string[]) => join(root, ...names);

async function install(...names: string[]): Promise<string> {
  const folder = at(...names);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, fileOf('postgres')), '');
  return folder;
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('finds the folders of the PATH in its order, then the usual ones, the newest first, each once', async () => {
  const onPath = await install('own');
  const nine = await install('lib', 'postgresql', '9', 'bin');
  const seventeen = await install('lib', 'postgresql', '17', 'bin');
  const redHat = await install('pgsql-16', 'bin');
  await mkdir(at('lib', 'postgresql', '18', 'bin'), { recursive: true });
  await mkdir(at('links'));
  await symlink(join(seventeen, fileOf('postgres')), at('links', fileOf('postgres')));
  const path = [at('nowhere'), at('links'), onPath, dirname(onPath)].join(delimiter);
  const places = [at('lib', 'postgresql', '*', 'bin'), at('pgsql-*', 'bin'), at('gone', '*', 'bin')];
  expect(await systemFolders(path, places)).toEqual([seventeen, onPath, nine, redHat]);
});

it('passes relative entries of the PATH over', async () => {
  const there = await install('relative');
  expect(await systemFolders(there, [])).toEqual([there]);
  expect(await systemFolders(relative(process.cwd(), there), [])).toEqual([]);
});
