import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StorageError } from '#libs/durable-file';
import { isFileLocked, tryFileLock } from './embedded/file-lock.ts';
import { identityOf, networkOf } from './embedded/process-table.ts';

/** Name of the embedded cluster's folder in DATA_DIR; its password, its locks and its note are next to it. */
export const CLUSTER_FOLDER = 'postgres';

/** Commands that ask whether the cluster is in use hold a shared lock for some microseconds. */
const CLAIM_ATTEMPTS = 5;
const CLAIM_INTERVAL_MS = 20;

/** The process that runs the cluster, and its address once it accepts connections. */
interface InstanceNote {
  pid: number;
  identity: string | null;
  /** Name of its machine or container; missing in notes of 0.1.0. */
  host?: string;
  /** The network in which `url` is valid; null if machines have one only. */
  network?: string | null;
  url: string | null;
}

/** A cluster that belongs to this process, until it is released or the process ends. */
export interface Claim {
  /** Publishes the cluster's address for other programs of this user. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

const noteFile = (directory: string) => `${directory}.json`;
/** The kernel keeps the lock: a process id means nothing in another container. */
const claimFile = (directory: string) => `${directory}.claim`;

async function readNote(directory: string): Promise<InstanceNote | null> {
  try {
    return JSON.parse(await readFile(noteFile(directory), 'utf8'));
  } catch {
    return null;
  }
}

/** Instances of 0.1.0 hold no lock; their process is visible if they run in the same container. */
const isAlive = async (note: InstanceNote | null) =>
  note !== null && note.identity !== null && (await identityOf(note.pid)) === note.identity;

const isInUse = async (directory: string, note: InstanceNote | null) =>
  isFileLocked(claimFile(directory)) || (await isAlive(note));

async function writeNote(directory: string, url: string | null): Promise<void> {
  const note: InstanceNote = {
    pid: process.pid,
    identity: await identityOf(process.pid),
    host: hostname(),
    network: await networkOf(),
    url,
  };
  const temporary = `${noteFile(directory)}.new`;
  await rm(temporary, { force: true });
  try {
    await writeFile(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, noteFile(directory));
  } catch (error) {
    throw new StorageError(noteFile(directory), error as NodeJS.ErrnoException);
  }
}

/**
 * Takes a cluster for this process: of any number that try at once, on one kernel, one gets it.
 * @throws Error with a sentence if another live instance has it
 */
export async function claimInstance(directory: string): Promise<Claim> {
  const lock = await claimLock(directory);
  const note = await readNote(directory);
  if (!lock || (await isAlive(note))) {
    lock?.release();
    const who = note ? ` (process ${note.pid}${note.host ? ` on ${note.host}` : ''})` : '';
    throw new Error(`${directory} is in use by another instance${who}: stop it, or choose another DATA_DIR`);
  }
  const release = async () => {
    await rm(noteFile(directory), { force: true });
    lock.release();
  };
  try {
    await writeNote(directory, null);
  } catch (error) {
    await release();
    throw error;
  }
  return { announce: (url) => writeNote(directory, url), release };
}

async function claimLock(directory: string) {
  for (let attempt = 1; ; attempt++) {
    const lock = tryFileLock(claimFile(directory));
    if (lock || attempt === CLAIM_ATTEMPTS) return lock;
    await setTimeout(CLAIM_INTERVAL_MS);
  }
}

/**
 * URL (with password) of the embedded database of an instance that runs on `dataDir` now; null if none does.
 * @throws Error with a sentence if one does and its database cannot be reached from here
 */
export async function runningInstanceUrl(dataDir: string): Promise<string | null> {
  const directory = join(dataDir, CLUSTER_FOLDER);
  const note = await readNote(directory);
  if (!(await isInUse(directory, note))) return null;
  if (!note?.url)
    throw new Error(`the instance on ${dataDir} is starting or stopping: retry when it is ready`);
  if (note.network !== undefined && note.network !== (await networkOf())) {
    throw new Error(
      `the instance on ${dataDir} runs in another container (${note.host}): run the command there, or stop the instance`,
    );
  }
  return note.url;
}

/** The user (uid) whose processes run the instance on `dataDir`, or to whom the folder belongs if none has run; null if it is missing. */
export async function instanceOwner(dataDir: string): Promise<number | null> {
  const ownerOf = (path: string) =>
    stat(path).then(
      ({ uid }) => uid,
      () => null,
    );
  return (await ownerOf(claimFile(join(dataDir, CLUSTER_FOLDER)))) ?? ownerOf(dataDir);
}
