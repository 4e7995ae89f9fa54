import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE } from '../../scripts/cache-folder.mjs';

const run = promisify(execFile);

/** For the first call, which installs: long, because a slow machine must not fail. */
export const PYTHON_MS_MAX = 600_000;
const VENV_MS_MAX = 250_000;
const DOWNLOAD_MS_MAX = 300_000;
/** A killed pip has children that write for a moment longer. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };

/**
 * A Python with the packages that a requirements.txt pins: a virtual environment that is created once and kept; another
 * text or another Python gets a separate one. Several processes may call it at once.
 * @param requirements path of the requirements.txt
 * @returns path of the interpreter
 * @throws Error if the packages are not installed within minutes
 */
export async function pythonWith(requirements: string): Promise<string> {
  const folder = await folderOf(requirements);
  if (!existsSync(folder)) await make(folder, requirements);
  return interpreterIn(folder);
}

async function folderOf(requirements: string): Promise<string> {
  const { stdout: python } = await run('python3', ['-c', 'import sys; print(sys.prefix, sys.version)']);
  const version = createHash('sha256')
    .update(python)
    .update(await readFile(requirements))
    .digest('hex');
  return join(CACHE, `python-${version.slice(0, 12)}`);
}

async function make(folder: string, requirements: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    await run('python3', ['-m', 'venv', partial], { timeout: VENV_MS_MAX });
    const install = ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
    await run(interpreterIn(partial), ['-m', 'pip', ...install], { timeout: DOWNLOAD_MS_MAX });
    await rename(partial, folder).catch((error) => {
      // Another process was first; its result is the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, REMOVAL);
  }
}

/** Works from wherever the environment was moved to, unlike the scripts next to it. */
const interpreterIn = (folder: string): string => join(folder, 'bin', 'python');
