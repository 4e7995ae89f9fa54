import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { readOrganization } from '#libs/tables';
import { isOrganizationFolded } from './organization-folded.ts';

/** No request lasts as long: its act is in the log by that time, or never will be. */
const AGE_HOURS = 1;

/**
 * Removes secrets that belong to no integration: the process crashed between them and their act, or another act has
 * removed the integration. Removes none while acts of the log wait to be folded, because these may create the
 * integration.
 * @returns how many were removed
 * @throws LogUnavailableError
 */
export async function sweepSecrets(
  db: Kysely<Schema>,
  log: Pick<EventLog, 'ends' | 'partitions'>,
): Promise<number> {
  if (!(await isOrganizationFolded(db, log))) return 0;
  const { integrations = [] } = await readOrganization(db);
  const { numAffectedRows = 0n } = await sql`
    delete from integration_secrets
    where given_at < now() - make_interval(hours => ${AGE_HOURS})
      and integration_id <> all(${integrations.map(({ id }) => id)}::uuid[])`.execute(db);
  return Number(numAffectedRows);
}
