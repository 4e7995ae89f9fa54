import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const PS_TIMEOUT_MS = 5_000;
const STARTED_FIELD = 22;
const ZOMBIE = 'Z';

const hasProc = existsSync('/proc/self/stat');

async function ps(pid: number, column: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-p', `${pid}`, '-o', `${column}=`], {
      timeout: PS_TIMEOUT_MS,
    });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

const proc = (pid: number, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => null);

/** The program and arguments of a live process, separated by blanks; null if there is none (a zombie is none). */
export async function commandOf(pid: number): Promise<string | null> {
  if (!hasProc) return ps(pid, 'args');
  const line = await proc(pid, 'cmdline');
  return line ? line.replaceAll('\0', ' ').trim() : null;
}

/**
 * Distinguishes a process from a later one with the same id: its start time, with the machine's boot if that counts
 * from it; null if there is no such process (a zombie is none).
 */
export async function identityOf(pid: number): Promise<string | null> {
  if (!hasProc) return ps(pid, 'lstart');
  const stat = await proc(pid, 'stat');
  if (!stat) return null;
  // The second field is the name in parentheses and may hold blanks; the state follows it.
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (afterName[0] === ZOMBIE) return null;
  return `${await bootId()}:${afterName[STARTED_FIELD - 3]}`;
}

/** Identifies this process's network (of 127.0.0.1) among containers; null if there is only one. */
export async function networkOf(): Promise<string | null> {
  const namespace = await readlink('/proc/self/ns/net').catch(() => null);
  return namespace && `${await bootId()}:${namespace}`;
}

const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
