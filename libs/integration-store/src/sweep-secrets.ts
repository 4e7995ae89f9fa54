import { type Kysely, sql } from 'kysely';
import { partitionOf } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { ORGANIZATION_KEY } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/projection';

/** No request lasts as long: its act is in the log by then, or never will be. */
const AGE_HOURS = 1;

/**
 * Removes secrets that belong to no integration: a crash came between them and their act, or another one has removed it
 * meanwhile. Leaves all of them while acts of the log wait to be folded, as they may be theirs.
 * @returns how many were removed
 * @throws LogUnavailableError
 */
export async function sweepSecrets(
  db: Kysely<Schema>,
  log: Pick<EventLog, 'ends' | 'partitions'>,
): Promise<number> {
  const partition = partitionOf(ORGANIZATION_KEY, log.partitions);
  const end = (await log.ends(INTAKE_TOPIC))[partition]!;
  const position = await db
    .selectFrom('projection_positions')
    .select('next_offset')
    .where('partition', '=', partition)
    .executeTakeFirst();
  if ((position?.next_offset ?? 0) < end) return 0;
  const { integrations = [] } = await readOrganization(db);
  const { numAffectedRows = 0n } = await sql`
    delete from integration_secrets
    where given_at < now() - make_interval(hours => ${AGE_HOURS})
      and integration_id <> all(${integrations.map(({ id }) => id)}::uuid[])`.execute(db);
  return Number(numAffectedRows);
}
