import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { StorageError } from '#libs/durable-file';

/**
 * A kernel lock on an open file, for every process of this machine, in any container. It ends when the last process
 * that has the file open ends, also by kill -9; a child that inherits `fd` also keeps it.
 */
export interface FileLock {
  fd: number;
  release(): void;
}

interface Addon {
  tryLock(fd: number, options?: { shared: boolean }): boolean;
}

const OWNER_ONLY = 0o600;
/** What Windows answers for a locked file; elsewhere the addon itself answers false. */
const IS_LOCKED = 'EBUSY';

/**
 * Locks a file, which is created if it is missing and never deleted: two processes could hold locks on two files of
 * one name.
 * @returns null if another process, or another caller in this one, holds it
 * @throws Error with a sentence if the file cannot be opened or its file system has no locks
 */
export function tryFileLock(path: string): FileLock | null {
  const fd = opened(path, 'a');
  if (tryLock(path, fd, false)) return { fd, release: () => closeSync(fd) };
  closeSync(fd);
  return null;
}

/**
 * Whether the lock of a file is taken. The check takes a shared lock for some microseconds.
 * @throws Error as of `tryFileLock`
 */
export function isFileLocked(path: string): boolean {
  let fd: number;
  try {
    fd = opened(path, 'r');
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const isFree = tryLock(path, fd, true);
  closeSync(fd);
  return !isFree;
}

function opened(path: string, flags: string): number {
  try {
    return openSync(path, flags, OWNER_ONLY);
  } catch (error) {
    throw new StorageError(path, error as NodeJS.ErrnoException);
  }
}

function tryLock(path: string, fd: number, shared: boolean): boolean {
  try {
    return addon().tryLock(fd, { shared });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === IS_LOCKED) return false;
    closeSync(fd);
    throw new Error(
      `cannot lock ${path} (${(error as Error).message}): choose a DATA_DIR on a local disk, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Loaded when it is needed: it is built for fewer platforms than Node, and programs with a DATABASE_URL lock nothing. */
const addon = (): Addon => createRequire(import.meta.url)('fs-native-extensions');
