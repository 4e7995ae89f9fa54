import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { ERASED_ACTION } from '#libs/domain';
import { personName } from '#libs/sealing';
import { type SubjectKeys, shortOf } from './subject-keys.ts';

/** User names whose subjects are looked up by one query. */
const NAMES_MAX = 1_000;

/**
 * Subjects whose erasure is folded and whose key is not destroyed. An erasure that was interrupted after its event is
 * among them, and one that was folded again after a restore, also if the restore lacked the key.
 */
export async function subjectsToErase(db: Kysely<Schema>): Promise<string[]> {
  // A target that is no id can only be in a log that another program has written.
  const { rows } = await sql<{ subject: string }>`
    select distinct a.target as subject
      from (select target from acts
             where action = ${sql.lit(ERASED_ACTION)} and refused is null and target ~ '^[A-Za-z0-9_-]{22}$') a
      left join subject_keys k
        on k.subject = encode(decode(translate(a.target, '-_', '+/') || '==', 'base64'), 'hex')::uuid
     where k.destroyed_at is null`.execute(db);
  return rows.map(({ subject }) => subject);
}

/** Subjects whose keys are destroyed, in the order of their destruction. */
export async function erasedSubjects(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .selectFrom('subject_keys')
    .select('subject')
    .where('destroyed_at', 'is not', null)
    .orderBy('destroyed_at')
    .orderBy('subject')
    .execute();
  return rows.map(({ subject }) => shortOf(subject));
}

/**
 * Removes what no event contains: sign-ins of the persons, their rows as users of a provider with their sessions, then
 * the keys. After an interruption the same call resumes: until its key is destroyed, a person is found by the name.
 * @throws KeysUnavailableError, SubjectKeyError
 */
export async function eraseSubjects(
  db: Kysely<Schema>,
  keys: SubjectKeys,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  for await (const names of signedInNames(db)) {
    const persons = await keys.identify(names.map(personName));
    const erased = names.filter((name) => subjects.includes(persons.get(personName(name)) ?? ''));
    if (erased.length > 0) await removeSignIns(db, erased);
  }
  await keys.destroy(subjects);
}

async function removeSignIns(db: Kysely<Schema>, names: string[]): Promise<void> {
  const users = db.selectFrom('users').select('id').where('name', 'in', names);
  await db.deleteFrom('sessions').where('user_id', 'in', users).execute();
  await db.deleteFrom('users').where('name', 'in', names).execute();
  await db.deleteFrom('security_events').where('user_name', 'in', names).execute();
}

/** User names of sign-ins, as typed, and of users of providers. */
async function* signedInNames(db: Kysely<Schema>): AsyncGenerator<string[]> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const { rows }: { rows: { name: string }[] } = await sql<{ name: string }>`
      select name collate "C" as name
        from (select user_name as name from security_events union select name from users) signed_in
       where name collate "C" > ${last}
       order by 1
       limit ${sql.lit(NAMES_MAX)}`.execute(db);
    if (rows.length > 0) yield rows.map(({ name }) => name);
    last = rows.length < NAMES_MAX ? undefined : rows.at(-1)!.name;
  }
}
