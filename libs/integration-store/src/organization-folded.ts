import type { Kysely } from 'kysely';
import { partitionOf } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { ORGANIZATION_KEY } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

/**
 * Whether no act on the organization waits to be folded: one of these may create or remove an integration.
 * @throws LogUnavailableError
 */
export async function isOrganizationFolded(
  db: Kysely<Schema>,
  log: Pick<EventLog, 'ends' | 'partitions'>,
): Promise<boolean> {
  const partition = partitionOf(ORGANIZATION_KEY, log.partitions);
  const end = (await log.ends(INTAKE_TOPIC))[partition]!;
  const position = await db
    .selectFrom('projection_positions')
    .select('next_offset')
    .where('partition', '=', partition)
    .executeTakeFirst();
  return (position?.next_offset ?? 0) >= end;
}
