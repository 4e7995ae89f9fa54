import { longQuery, type Queryable } from '#libs/replay';

/** Credentials of a backup that did not outlive it, by their user names. */
export interface EndedCredentials {
  deleted: string[];
  /** Credentials whose password was rotated: no password is valid until the next rotation. */
  locked: string[];
}

/**
 * Ends credentials that were ended, by the folded log, after the tables of the backup were read: a deleted or replaced
 * credential, which others may know, must not become valid again. Each rotation is an act, and counted in the
 * generation.
 * @param connection in a transaction without a `statement_timeout`, once the log is folded
 */
export async function endCredentials(connection: Queryable): Promise<EndedCredentials> {
  const deleted = await connection.query<{ username: string }>(longQuery(DELETE));
  const locked = await connection.query<{ username: string }>(longQuery(LOCK));
  return { deleted: namesOf(deleted.rows), locked: namesOf(locked.rows) };
}

const namesOf = (rows: { username: string }[]): string[] => rows.map(({ username }) => username).sort();

const DELETE = `
  delete from credentials c using acts a
   where a.action = 'credential.deleted' and a.target = c.id::text
  returning c.username`;

const LOCK = `
  update credentials c set password_hash = '', generation = 1 + a.rotations
    from (select target, count(*)::int as rotations from acts where action = 'credential.rotated' group by target) a
   where a.target = c.id::text and a.rotations >= c.generation
  returning c.username`;
