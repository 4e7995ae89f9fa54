import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { commandOf } from './process-table.ts';

const POLL_INTERVAL_MS = 50;
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;

const pidFile = (directory: string) => join(directory, 'postmaster.pid');

/** The process id of the last postmaster of a cluster that did not stop by itself; null where none is noted. */
async function notedPid(directory: string): Promise<number | null> {
  const text = await readFile(pidFile(directory), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || null;
}

/** Started by this library for exactly this cluster: the arguments begin so (see `embedded-postgres.ts`). */
async function isPostmasterOf(directory: string, pid: number): Promise<boolean> {
  const command = await commandOf(pid);
  return command !== null && `${command} `.includes(`postgres -D ${directory} `);
}

/**
 * Readies a cluster for a start after whatever befell the last one: a postmaster that outlived its service is stopped,
 * and a note that names another program's process is made harmless.
 */
export async function clearOrphan(directory: string, log: (line: string) => void): Promise<void> {
  const pid = await notedPid(directory);
  if (pid === null) return;
  if (await isPostmasterOf(directory, pid)) {
    log(`stopping PostgreSQL (process ${pid}) that an earlier run left behind`);
    await stopPostmaster(pid, async () => !(await isPostmasterOf(directory, pid)));
    return;
  }
  await disownPidFile(directory);
}

/**
 * PostgreSQL takes its parent's process id for a stale one and still checks that no backend holds the shared memory
 * named below it; deleting the file would skip that check.
 */
async function disownPidFile(directory: string): Promise<void> {
  const text = await readFile(pidFile(directory), 'utf8');
  const replaced = text.replace(/^-?\d+/, `${process.pid}`);
  const temporary = `${pidFile(directory)}.new`;
  await writeFile(temporary, replaced, { mode: 0o644 });
  await rename(temporary, pidFile(directory));
}

/**
 * Fast shutdown: sessions end, everything is written; after 30 s immediate shutdown, which the next start recovers
 * from.
 * @throws Error where it outlives both
 */
export async function stopPostmaster(
  pid: number,
  hasStopped: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const [name, timeoutMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ] as const) {
    signal(pid, name);
    if (await waitFor(hasStopped, timeoutMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop: end it by hand`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitFor(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await setTimeout(POLL_INTERVAL_MS);
  }
  return true;
}
