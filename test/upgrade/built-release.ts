import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RELEASE } from './release.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Below the repository, so that the release finds its packages: those of this version. */
const BUILT = join(ROOT, 'dist', 'released');
const SOURCES = [
  'apps',
  'libs',
  'migrations',
  'schemas',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const BUILD_MS_MAX = 300_000;

/** Why the release cannot be built from this clone, as a sentence; undefined if it can. */
export function whyNoRelease(): string | undefined {
  const { status } = spawnSync('git', ['cat-file', '-e', `${RELEASE.commit}^{commit}`], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  return status === 0
    ? undefined
    : `the history of this clone does not reach ${RELEASE.name}: git fetch --unshallow`;
}

/**
 * The programs of the release, built from its commit with the packages of this version; kept until `dist` is removed.
 * @returns folder in which they run, as this repository is for its own
 */
export async function buildRelease(): Promise<string> {
  const folder = join(BUILT, RELEASE.commit);
  if (existsSync(folder)) return folder;
  await mkdir(BUILT, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const archive = join(partial, 'sources.tar');
    await run('git', ['archive', `--output=${archive}`, RELEASE.commit, ...SOURCES], { cwd: ROOT });
    await run('tar', ['--extract', `--file=${archive}`, `--directory=${partial}`]);
    // Its types were checked when it was released.
    const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck'];
    await run(process.execPath, [...tsc, '--sourceMap', 'false'], { cwd: partial, timeout: BUILD_MS_MAX });
    await rm(archive);
    await rename(partial, folder).catch((error) => {
      // Another process was first; its result is the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Names of the migrations of a version, in their order. @param folder as of `buildRelease`; omitted: of this version */
export const migrationsOf = async (folder = ROOT): Promise<string[]> =>
  (await readdir(join(folder, 'migrations'))).filter((name) => name.endsWith('.sql')).sort();
