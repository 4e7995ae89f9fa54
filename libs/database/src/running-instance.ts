import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf } from './embedded/process-table.ts';

/** Name of the embedded cluster's folder in DATA_DIR; its password and the note on the running instance lie beside it. */
export const CLUSTER_FOLDER = 'postgres';

/** Who runs the cluster, and where it answers once it does. */
interface InstanceNote {
  pid: number;
  identity: string | null;
  url: string | null;
}

const noteFile = (directory: string) => `${directory}.json`;

async function readNote(directory: string): Promise<InstanceNote | null> {
  try {
    return JSON.parse(await readFile(noteFile(directory), 'utf8'));
  } catch {
    return null;
  }
}

/** The note outlives a killed service; its process id alone may by now be another program's. */
const isAlive = async ({ pid, identity }: InstanceNote) =>
  identity !== null && (await identityOf(pid)) === identity;

async function writeNote(directory: string, url: string | null): Promise<void> {
  const note: InstanceNote = { pid: process.pid, identity: await identityOf(process.pid), url };
  const temporary = `${noteFile(directory)}.new`;
  await rm(temporary, { force: true });
  await writeFile(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(temporary, noteFile(directory));
}

/**
 * Takes a cluster for this process.
 * @throws Error where another live service has it
 */
export async function claimInstance(directory: string): Promise<void> {
  const note = await readNote(directory);
  if (note && (await isAlive(note))) {
    throw new Error(
      `${directory} is in use by another instance (process ${note.pid}): stop it, or choose another DATA_DIR`,
    );
  }
  await writeNote(directory, null);
}

/** Tells other programs of this user where the cluster answers. */
export const announceInstance = (directory: string, url: string): Promise<void> => writeNote(directory, url);

export const releaseInstance = (directory: string): Promise<void> => rm(noteFile(directory), { force: true });

/** URL (with password) of the embedded database of a service that runs on `dataDir` now; null where none does. */
export async function runningInstanceUrl(dataDir: string): Promise<string | null> {
  const note = await readNote(join(dataDir, CLUSTER_FOLDER));
  return note && (await isAlive(note)) ? note.url : null;
}
