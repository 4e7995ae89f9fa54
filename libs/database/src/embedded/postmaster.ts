import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type FileLock, tryFileLock } from './file-lock.ts';
import { commandOf } from './process-table.ts';

const POLL_INTERVAL_MS = 50;
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;
/** Its sessions may end a moment later than a postmaster. */
const LOCK_TIMEOUT_MS = 5_000;

const pidFile = (directory: string) => join(directory, 'postmaster.pid');

/** The process id of the last postmaster of a cluster that did not stop by itself; null if none is noted. */
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
 * Stops a postmaster that outlived its service.
 * @returns the lock that every process of the cluster's PostgreSQL is to inherit
 * @throws Error with a sentence if a PostgreSQL lives on that this process cannot see
 */
export async function clearOrphan(directory: string, log: (line: string) => void): Promise<FileLock> {
  await stopOrphan(directory, log);
  return serverLock(directory);
}

async function stopOrphan(directory: string, log: (line: string) => void): Promise<void> {
  const pid = await notedPid(directory);
  if (pid === null || !(await isPostmasterOf(directory, pid))) return;
  log(`stopping PostgreSQL (process ${pid}) that an earlier run left behind`);
  await stopPostmaster(pid, async () => !(await isPostmasterOf(directory, pid)));
}

/** PostgreSQL itself looks for another one only by process id and shared memory, which containers do not share. */
async function serverLock(directory: string): Promise<FileLock> {
  const lock = await waitFor(() => tryFileLock(`${directory}.lock`), LOCK_TIMEOUT_MS);
  if (lock) return lock;
  throw new Error(
    `a PostgreSQL that an earlier run left behind still uses ${directory} and is not visible here: stop the container that it runs in`,
  );
}

/**
 * Makes a note harmless that names another program's process; only for the holder of the cluster's lock.
 * PostgreSQL takes its parent's process id for a stale one and still checks that no backend holds the shared memory
 * named below it; deleting the file would skip that check.
 */
export async function disownPidFile(directory: string): Promise<void> {
  if ((await notedPid(directory)) === null) return;
  const text = await readFile(pidFile(directory), 'utf8');
  const replaced = text.replace(/^-?\d+/, `${process.pid}`);
  const temporary = `${pidFile(directory)}.new`;
  await writeFile(temporary, replaced, { mode: 0o644 });
  await rename(temporary, pidFile(directory));
}

/**
 * Fast shutdown: sessions end, everything is written; after 30 s immediate shutdown, which the next start recovers
 * from. A process that has stopped gets no signal: its id may belong to another one.
 * @throws Error if it outlives both
 */
export async function stopPostmaster(
  pid: number,
  hasStopped: () => boolean | Promise<boolean>,
): Promise<void> {
  if (await hasStopped()) return;
  for (const [name, timeoutMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ] as const) {
    signal(pid, name);
    if (await waitFor(hasStopped, timeoutMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop: terminate it`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The first answer that is true of `ask`, or its last within `timeoutMs`. */
async function waitFor<T>(ask: () => T | Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer || performance.now() > deadline) return answer;
    await setTimeout(POLL_INTERVAL_MS);
  }
}
