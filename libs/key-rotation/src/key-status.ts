import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** How much is sealed under one wrapping key. */
export interface KeyStatus extends Record<SealedColumn['kind'], number> {
  /** Null: texts that the vault cannot have sealed. */
  keyId: string | null;
}

export const NOTHING_SEALED: Readonly<Omit<KeyStatus, 'keyId'>> = {
  subjectKeys: 0,
  integrationSecrets: 0,
  webhookSecrets: 0,
  secondFactors: 0,
  identityProviders: 0,
  reportSchedules: 0,
  notificationAddresses: 0,
  notificationSettings: 0,
};

/** How much is sealed under each wrapping key. Reads no key. */
export async function readKeyStatus(db: Kysely<Schema>): Promise<KeyStatus[]> {
  const counts = new Map<string | null, KeyStatus>();
  for (const { table, column, kind } of SEALED_COLUMNS) {
    const sealed = sql`${sql.table(table)} where ${sql.ref(column)} is not null`;
    for (const { keyId, count } of await countByKey(db, column, sealed)) {
      const status = counts.get(keyId) ?? { keyId, ...NOTHING_SEALED };
      counts.set(keyId, { ...status, [kind]: status[kind] + count });
    }
  }
  return [...counts.values()];
}

/** Open sessions by the wrapping key of their refresh tokens, which no rotation but the next check seals again. */
export const readSessionKeys = (db: Kysely<Schema>): Promise<CountOfKey[]> =>
  countByKey(db, 'refresh_token', sql`sessions where refresh_token is not null and expires_at > now()`);

interface CountOfKey extends Pick<KeyStatus, 'keyId'> {
  count: number;
}

async function countByKey(
  db: Kysely<Schema>,
  column: string,
  sealed: RawBuilder<unknown>,
): Promise<CountOfKey[]> {
  const { rows } = await sql<CountOfKey>`
    select substring(${sql.ref(column)} from '^v1\\.([A-Za-z0-9_-]{8})\\.') as "keyId", count(*)::int as count
      from ${sealed} group by 1`.execute(db);
  return rows;
}
