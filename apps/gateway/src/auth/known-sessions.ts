import type { RowLimits } from '#libs/tables';

/** A session, as every process knows it. */
export interface KnownSession {
  id: string;
  /** Of the user or the credential. */
  ownerId: string;
  /** Of the user or the credential. */
  name: string;
  /** Roles and scopes. */
  grants: readonly string[];
  rows: RowLimits;
  /** Epoch milliseconds: when it ends unless it is used. */
  expiresAt: number;
}

export interface KnownSessionRow extends RowLimits {
  id: string;
  hash: string;
  owner_id: string;
  name: string;
  grants: string[];
  expires_at: number;
}

/** Without sessions whose user is missing or disabled, or whose credential was rotated. */
export const SESSIONS = `
  select s.id, encode(s.secret_hash, 'hex') as hash, s.expires_at, coalesce(u.id, c.id) as owner_id,
         coalesce(u.name, c.username) as name, coalesce(u.grants, array[c.role]) as grants,
         coalesce(u.departments, c.departments) as departments,
         coalesce(u.locations, c.locations) as locations
    from sessions s
    left join users u on u.id = s.user_id and u.is_active
    left join credentials c on c.id = s.credential_id and c.generation = s.generation
   where u.id is not null or c.id is not null`;

/** By the hexadecimal digits of their hashes. */
export const sessionsByHash = (rows: KnownSessionRow[]): Map<string, KnownSession> =>
  new Map(
    rows.map(({ id, hash, owner_id, name, grants, expires_at, departments, locations }) => [
      hash,
      { id, ownerId: owner_id, name, grants, rows: { departments, locations }, expiresAt: expires_at },
    ]),
  );
