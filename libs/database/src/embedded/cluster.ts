import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { storageError, syncFolder, writeDurably } from '#libs/durable-file';
import type { Binaries } from './binaries.ts';
import { noRoomRemedy } from './no-room.ts';
import { keepLast, linesOf, spawnAs } from './spawn-as.ts';
import type { SystemUser } from './system-user.ts';

export const SUPERUSER = 'postgres';

/** The files of a PostgreSQL, and what it takes to run it. */
export interface Cluster {
  directory: string;
  password: string;
  binaries: Binaries;
  /** Whom it runs as, where that is not the user of this process. */
  user: SystemUser | undefined;
  log: (line: string) => void;
}

/**
 * The cluster in `directory`, initialised where it is new.
 * @throws Error with a sentence where its password is lost, or it cannot be initialised
 */
export async function openCluster(parts: Omit<Cluster, 'password'>): Promise<Cluster> {
  const cluster = { ...parts, password: await readOrMakePassword(parts.directory, parts.user) };
  if (await isMissing(parts.directory)) await initialise(cluster);
  return cluster;
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    () => true,
  );

async function readOrMakePassword(directory: string, user: SystemUser | undefined): Promise<string> {
  const file = `${directory}.password`;
  if (!(await isMissing(file))) return readPassword(file);
  if (!(await isMissing(directory))) {
    throw new Error(`the password of the database in ${directory} is missing: put ${file} back`);
  }
  const password = randomBytes(24).toString('hex');
  // initdb reads it as the user that PostgreSQL runs as.
  await writeDurably(file, `${password}\n`, { owner: user });
  return password;
}

async function readPassword(file: string): Promise<string> {
  const password = (await readFile(file, 'utf8')).trim();
  if (password) return password;
  throw new Error(
    `${file} is empty: put the original back, or, where the site holds nothing yet, remove DATA_DIR`,
  );
}

/** Under a temporary name first: one that a kill cut off is done anew by the next start, whatever still runs of it. */
async function initialise({ directory, binaries, user, log }: Cluster): Promise<void> {
  await removeUnfinished(directory);
  const temporary = await mkdtemp(unfinishedPrefix(directory)).catch((error) => {
    throw storageError(directory, error);
  });
  if (user) await chown(temporary, user.uid, user.gid);
  log('initialising PostgreSQL');
  const child = spawnAs(user, binaries.initdb, [
    `--pgdata=${temporary}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${directory}.password`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and case rules on every machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  const lines: string[] = [];
  linesOf(child, (line) => keepLast(lines, line));
  const [code] = await once(child, 'close');
  if (code !== 0) {
    const why = lines.join(' ');
    throw new Error(
      `PostgreSQL could not be initialised in ${directory}: ${why}${noRoomRemedy(why, directory)}`,
    );
  }
  await rename(temporary, directory);
  await syncFolder(dirname(directory));
}

const unfinishedPrefix = (directory: string) => `${directory}.initialising-`;

async function removeUnfinished(directory: string): Promise<void> {
  const folder = dirname(directory);
  const prefix = basename(unfinishedPrefix(directory));
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
