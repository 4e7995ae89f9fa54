import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { writeDurably } from '#libs/durable-file';
import { FileError } from '#libs/log-archive';
import type { Queryable } from '#libs/replay';
import { sealedKey } from '#libs/sealing';
import { erasedSubjects, shortOf } from '#libs/subject-keys';

/** In the directory of a backup: ids of erased subjects, one a line. */
const ERASURES_FILE = 'erasures.txt';
const SUBJECT = /^[\w-]{22}$/;

/** Path of the erasure list of a backup. */
export const erasuresOf = (folder: string): string => join(folder, ERASURES_FILE);

/**
 * The subjects of an erasure list; undefined if there is no such file.
 * @throws FileError at the first line that is no id of a subject
 */
export async function readErasures(path: string): Promise<string[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').slice(0, -1);
  const wrong = lines.findIndex((line) => !SUBJECT.test(line));
  if (wrong >= 0 || (text !== '' && !text.endsWith('\n'))) {
    const number = wrong >= 0 ? wrong + 1 : lines.length + 1;
    throw new FileError(`${path} is not an erasure list: line ${number} is not the id of a subject`);
  }
  return lines;
}

/**
 * Adds the erased subjects of a site to the list of its backup; writes nothing if there are none.
 * @throws FileError as `readErasures`
 */
export async function writeErasures(db: Kysely<Schema>, folder: string): Promise<void> {
  if ((await erasedSubjects(db)).length > 0) await listErasures(db, erasuresOf(folder), []);
}

/**
 * Adds the erased subjects of a site, and others, to a list; writes nothing if it contains them. A list without subjects
 * is written too: a restore then knows that it is not missing.
 * @param others subjects whose keys are about to be destroyed
 * @throws FileError as `readErasures`; an error of the file system
 */
export async function listErasures(
  db: Kysely<Schema>,
  path: string,
  others: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Several gateways of a machine, and a backup: each replaces the file.
    await sql`select pg_advisory_xact_lock(hashtext('posture erasure list'))`.execute(transaction);
    const listed = await readErasures(path);
    const all = new Set([...(listed ?? []), ...(await erasedSubjects(transaction)), ...others]);
    if (!listed || all.size > listed.length) await writeList(path, all);
  });
}

/**
 * Copies the list of one backup to another; writes nothing if it is empty.
 * @throws FileError as `readErasures`; an error of the file system
 */
export async function copyErasures(from: string, to: string): Promise<void> {
  const subjects = await readErasures(erasuresOf(from));
  if (subjects?.length) await writeList(erasuresOf(to), subjects);
}

const writeList = (path: string, subjects: Iterable<string>): Promise<void> =>
  writeDurably(path, [...subjects].map((subject) => `${subject}\n`).join(''));

export interface ErasedAgain {
  /** Number of subjects whose keys were destroyed again. */
  erasedAgain: number;
  /** Number of users of providers that were removed with all sign-ins; null: no person was among the subjects. */
  removedUsers: number | null;
}

/**
 * Destroys the keys of listed subjects that a backup has brought back. If a subject has no asset, it may be a person: then
 * no sign-in and no user of a provider of the backup stays, because without a key it is not known which are of this
 * person. The next sign-in creates a user again. Disabled users stay, so that they cannot sign in.
 * @param connection in a transaction, with the log folded
 */
export async function eraseAgain(connection: Queryable, subjects: readonly string[]): Promise<ErasedAgain> {
  const ids = subjects.map((subject) => Buffer.from(subject, 'base64url').toString('hex'));
  const { rows: erased } = await connection.query(
    `update subject_keys set wrapped = null, lookup = null, destroyed_at = now()
      where wrapped is not null and lookup is not null and subject = any($1::uuid[]) returning subject`,
    [ids],
  );
  const keys = erased.flatMap(({ subject }) =>
    (['user', 'machine'] as const).map((type) => sealedKey(shortOf(subject), type)),
  );
  const { rows: entities } = await connection.query(
    'select distinct entity_key from assets where entity_key = any($1)',
    [keys],
  );
  if (entities.length === erased.length) return { erasedAgain: erased.length, removedUsers: null };
  await connection.query('delete from security_events');
  const { rowCount } = await connection.query('delete from users where is_active');
  return { erasedAgain: erased.length, removedUsers: rowCount };
}
