import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageError, syncFolder, writeDurably } from '#libs/durable-file';
import { firstToSucceed } from './first-to-succeed.ts';
import { noRoomRemedy } from './no-room.ts';
import type { Programs } from './programs.ts';
import { keepLast, linesOf, spawnAs } from './spawn-as.ts';
import type { SystemUser } from './system-user.ts';

export const SUPERUSER = 'postgres';

/** Before it, the cases are those of the C library, which not every system has for C.UTF-8. */
const BUILTIN_LOCALE_MAJOR_MIN = 17;

/** The files of a PostgreSQL, and the settings to run it. */
export interface Cluster {
  directory: string;
  password: string;
  /** Programs that can open it, the best first, at least one. */
  programs: readonly Programs[];
  /** The user that it runs as, if it is not the user of this process. */
  user: SystemUser | undefined;
  log: (line: string) => void;
  /** Called for programs that failed, if others are tried next. */
  failed: (programs: Programs, error: Error) => void;
}

/**
 * The cluster in `directory`, initialised if it is new: by the first of the programs that can.
 * @throws Error with a sentence if its password is lost, or it cannot be initialised
 */
export async function openCluster(parts: Omit<Cluster, 'password'>): Promise<Cluster> {
  const cluster = { ...parts, password: await readOrMakePassword(parts.directory, parts.user) };
  if (!(await isMissing(parts.directory))) return cluster;
  const made = await firstToSucceed(
    parts.programs,
    (programs) => initialise(cluster, programs),
    parts.failed,
  );
  // Those before it could not initialise one.
  const left = parts.programs.slice(parts.programs.indexOf(made));
  return { ...cluster, programs: left.filter(({ major }) => major === made.major) };
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
    throw new Error(`the password of the database in ${directory} is missing: restore ${file}`);
  }
  const password = randomBytes(24).toString('hex');
  // initdb reads it as the user that PostgreSQL runs as.
  await writeDurably(file, `${password}\n`, { owner: user });
  return password;
}

async function readPassword(file: string): Promise<string> {
  const password = (await readFile(file, 'utf8')).trim();
  if (password) return password;
  throw new Error(`${file} is empty: restore the original or, if the site is new, remove DATA_DIR`);
}

/** Under a temporary name first: after a kill, the next start repeats it, even if part of it still runs. */
async function initialise({ directory, user, log }: Cluster, programs: Programs): Promise<Programs> {
  await removeUnfinished(directory);
  const temporary = await mkdtemp(unfinishedPrefix(directory)).catch((error) => {
    throw new StorageError(directory, error);
  });
  if (user) await chown(temporary, user.uid, user.gid);
  log('initialising PostgreSQL');
  const child = spawnAs(user, programs.initdb, [
    `--pgdata=${temporary}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${directory}.password`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeOf(programs),
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
  return programs;
}

/** The same order and case rules on every machine: the order of bytes, the cases of Unicode. */
const localeOf = ({ major }: Programs): string[] =>
  major >= BUILTIN_LOCALE_MAJOR_MIN
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C', '--lc-ctype=C.UTF-8'];

const unfinishedPrefix = (directory: string) => `${directory}.initialising-`;

async function removeUnfinished(directory: string): Promise<void> {
  const folder = dirname(directory);
  const prefix = basename(unfinishedPrefix(directory));
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
