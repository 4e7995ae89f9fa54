import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { readOrganization } from '#libs/tables';

/** No request lasts half as long: its act is in the log by that time, or never will be. */
const AGE_HOURS = 1;

/**
 * Removes secrets that belong to no integration: the process crashed between them and their act, or another act has
 * removed the integration.
 * @param db has the acts of half an hour ago, because these may add the integration
 * @returns how many were removed
 */
export async function sweepSecrets(db: Kysely<Schema>): Promise<number> {
  const { integrations = [] } = await readOrganization(db);
  const { numAffectedRows = 0n } = await sql`
    delete from integration_secrets
    where given_at < now() - make_interval(hours => ${AGE_HOURS})
      and integration_id <> all(${integrations.map(({ id }) => id)}::uuid[])`.execute(db);
  return Number(numAffectedRows);
}
