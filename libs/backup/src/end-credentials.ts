import { longQuery, type Queryable } from '#libs/replay';

/**
 * Credentials, API tokens, identity providers and provisioned users of a backup that did not outlive it: by user names,
 * and names as `token:scanner`, `identityProvider:corp` and `user:corp:alice`.
 */
export interface EndedCredentials {
  deleted: string[];
  /**
   * Those that were rotated or changed: no password or token is valid until the next rotation, and nobody signs in with a
   * provider until its client secret is entered again. Users are in no group until the provider provisions them again.
   */
  locked: string[];
  /** Credentials whose recovery codes were removed: their users sign in with the app only. */
  withoutRecoveryCodes: string[];
}

/**
 * Ends credentials and API tokens that were ended, by the folded log, after the tables of the backup were read: a deleted
 * or replaced secret, which others may know, must not become valid again. Each rotation is an act, and counted in the
 * generation, and so is each change of an API token or an identity provider, which may have taken rights. A second factor
 * that was removed or replaced is removed, and a user who was disabled or deleted stays so. A user whose provisioned groups
 * changed is in none. Roles get the scopes of their last act, and the mark for emergencies is where the log has it, unless
 * the log was cut: the tables are then later, and an earlier act could give rights back. All counters are those of the log
 * then, which may have been cut before acts that a counter has in it: the next restore compares them again.
 * @param connection in a transaction without a `statement_timeout`, once the log is folded
 * @param isCut whether the log ends before the tables were read
 */
export async function endCredentials(connection: Queryable, isCut: boolean): Promise<EndedCredentials> {
  const namesOf = async (statement: string): Promise<string[]> => {
    const { rows } = await connection.query<{ name: string }>(longQuery(statement));
    return rows.map(({ name }) => name).sort();
  };
  const deleted = [
    ...(await namesOf(DELETE)),
    ...(await namesOf(DELETE_TOKENS)),
    ...(await namesOf(REMOVE_PROVIDERS)),
  ];
  for (const statement of [
    DELETE_SECOND_FACTORS,
    DISABLE_USERS,
    DELETE_USERS,
    ...(isCut ? [] : [DELETE_ROLES, SET_ROLES, UNMARK_BREAK_GLASS, MARK_BREAK_GLASS]),
  ])
    await connection.query(longQuery(statement));
  const withoutRecoveryCodes = await namesOf(END_RECOVERY_CODES);
  const locked = [
    ...(await namesOf(LOCK)),
    ...(await namesOf(LOCK_WITHOUT_SECOND_FACTOR)),
    ...(await namesOf(LOCK_TOKENS)),
    ...(await namesOf(LOCK_PROVIDERS)),
    ...(await namesOf(LOCK_USERS)),
  ];
  for (const counter of COUNTERS) await connection.query(longQuery(setCounter(counter)));
  return { deleted, locked, withoutRecoveryCodes };
}

const DELETE = `
  delete from credentials c using acts a
   where a.action = 'credential.deleted' and a.target = c.id::text
  returning c.username as name`;

const DELETE_TOKENS = `
  delete from api_tokens t using acts a
   where a.action = 'credential.tokenRevoked' and a.target = t.id::text
  returning 'token:' || t.name as name`;

/** The last act on each role; acts on the organization are in one partition. */
const LAST_OF_ROLES = `
  select distinct on (target) target, action, string_to_array(detail -> 'after' ->> 'role', ' ') as scopes
    from acts where action in ('credential.roleCreated', 'credential.roleChanged', 'credential.roleDeleted')
   order by target, log_offset desc`;

const DELETE_ROLES = `
  delete from roles r using (${LAST_OF_ROLES}) a where a.action = 'credential.roleDeleted' and a.target = r.name`;

const SET_ROLES = `
  insert into roles (name, scopes) select target, scopes from (${LAST_OF_ROLES}) a where action <> 'credential.roleDeleted'
  on conflict (name) do update set scopes = excluded.scopes`;

const LOCK = `
  update credentials c set password_hash = '', generation = 1 + a.rotations
    from (select target, count(*)::int as rotations from acts where action = 'credential.rotated' group by target) a
   where a.target = c.id::text and a.rotations >= c.generation
  returning c.username as name`;

/** How many acts there were on the second factor of each credential, and the last one. */
const ACTS_ON_SECOND_FACTORS = `
  select target, count(*)::int as acts, (array_agg(action order by log_offset desc))[1] as last from acts
   where action in ('credential.secondFactorEnabled', 'credential.secondFactorRemoved')
   group by target`;

/** Removed and set up again is another one. The tables of an earlier version lack the number: the last act decides. */
const DELETE_SECOND_FACTORS = `
  delete from second_factors f using credentials c, (${ACTS_ON_SECOND_FACTORS}) a
   where c.id = f.credential_id and a.target = c.id::text
     and coalesce(a.acts > c.second_factor_acts, a.last = 'credential.secondFactorRemoved')`;

/** Some may have been used after the backup; the app still signs in. */
const END_RECOVERY_CODES = `
  update second_factors f set recovery_hashes = '{}' from credentials c
   where c.id = f.credential_id and f.recovery_hashes <> '{}'
  returning c.username as name`;

/** The last act on each user of a provider that lets in or keeps out. */
const LAST_OF_USERS = `
  select distinct on (target) target, action from acts
   where action in ('credential.userDisabled', 'credential.userEnabled', 'credential.userDeleted')
   order by target, log_offset desc`;

const DISABLE_USERS = `
  update users u set is_active = false from (${LAST_OF_USERS}) a
   where a.action = 'credential.userDisabled' and a.target = u.id::text`;

const DELETE_USERS = `
  delete from users u using (${LAST_OF_USERS}) a where a.action = 'credential.userDeleted' and a.target = u.id::text`;

/** Set up after the backup: the password alone must not sign in again. */
const LOCK_WITHOUT_SECOND_FACTOR = `
  update credentials c set password_hash = ''
    from (${ACTS_ON_SECOND_FACTORS}) a
   where a.last = 'credential.secondFactorEnabled' and a.target = c.id::text and c.password_hash <> ''
     and coalesce(a.acts > c.second_factor_acts, true)
     and not exists (select from second_factors f where f.credential_id = c.id and f.confirmed_at is not null)
  returning c.username as name`;

/**
 * Whom the last act marked for emergencies, unless a later one ended that; acts on the organization are in one partition.
 * None if it was created after the backup.
 */
const MARKED_BREAK_GLASS = `
  select s.target from (
    select target, log_offset from acts where action = 'credential.breakGlassSet' order by log_offset desc limit 1) s
   where not exists (
     select from acts u
      where u.action = 'credential.breakGlassUnset' and u.target = s.target and u.log_offset > s.log_offset)`;

/** First: no two are marked. */
const UNMARK_BREAK_GLASS = `
  update credentials set is_break_glass = false
   where is_break_glass and id::text not in (${MARKED_BREAK_GLASS})`;

const MARK_BREAK_GLASS = `
  update credentials set is_break_glass = true
   where not is_break_glass and id::text in (${MARKED_BREAK_GLASS})`;

const LOCK_TOKENS = `
  update api_tokens t set secret_hash = null, previous_hash = null, previous_until = null, generation = 1 + a.rotations
    from (select target, count(*)::int as rotations from acts where action in ('credential.tokenRotated', 'credential.tokenChanged')
      group by target) a
   where a.target = t.id::text and a.rotations >= t.generation
  returning 'token:' || t.name as name`;

/** How many acts there were on each identity provider, and the last one. */
const ACTS_OF_PROVIDERS = `
  select target, count(*)::int as acts, (array_agg(action order by log_offset desc))[1] as last from acts
   where action in ('credential.identityProviderCreated', 'credential.identityProviderChanged',
                    'credential.identityProviderDeleted')
   group by target`;

const REMOVE_PROVIDERS = `
  update identity_providers p
     set client_secret = null, settings = '{}', generation = a.acts, removed_at = now()
    from (${ACTS_OF_PROVIDERS}) a
   where a.target = p.id and a.acts > p.generation and a.last = 'credential.identityProviderDeleted'
     and p.removed_at is null
  returning 'identityProvider:' || p.id as name`;

/** Removed and added again is another provider too. */
const LOCK_PROVIDERS = `
  update identity_providers p set client_secret = null, generation = a.acts
    from (${ACTS_OF_PROVIDERS}) a
   where a.target = p.id and a.acts > p.generation and p.removed_at is null
  returning 'identityProvider:' || p.id as name`;

/** The removal of a user from a group may be among the changes. */
const LOCK_USERS = `
  with changed as (
    select u.id, a.changes from users u
      join (select target, count(*)::int as changes from acts where action = 'credential.userChanged' group by target) a
        on a.target = u.id::text
     where a.changes > u.rights_changes),
  emptied as (
    update user_groups g set members = array(select m from unnest(g.members) m where m not in (select id from changed))
     where g.members && array(select id from changed))
  update users u set grants = '{}', rights_changes = c.changes from changed c where c.id = u.id
  returning 'user:' || u.name as name`;

/** How many acts of the log there are on each row, from a first value on. */
interface Counter {
  table: string;
  column: string;
  first: number;
  acts: readonly string[];
}

const COUNTERS: readonly Counter[] = [
  { table: 'credentials', column: 'generation', first: 1, acts: ['rotated'] },
  {
    table: 'credentials',
    column: 'second_factor_acts',
    first: 0,
    acts: ['secondFactorEnabled', 'secondFactorRemoved'],
  },
  { table: 'api_tokens', column: 'generation', first: 1, acts: ['tokenRotated', 'tokenChanged'] },
  {
    table: 'identity_providers',
    column: 'generation',
    first: 0,
    acts: ['identityProviderCreated', 'identityProviderChanged', 'identityProviderDeleted'],
  },
  { table: 'users', column: 'rights_changes', first: 0, acts: ['userChanged'] },
];

const setCounter = ({ table, column, first, acts }: Counter): string => `
  update ${table} t set ${column} = c.count from (
    select k.id, ${first} + count(a.target)::int as count
      from ${table} k left join acts a
        on a.target = k.id::text and a.action in (${acts.map((act) => `'credential.${act}'`).join(', ')})
     group by k.id) c
   where c.id = t.id and t.${column} is distinct from c.count`;
