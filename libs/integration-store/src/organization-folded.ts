import type { Kysely } from 'kysely';
import { partitionOf } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { ORGANIZATION_KEY } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

type Log = Pick<EventLog, 'ends' | 'partitions'>;

const partitionOfOrganization = ({ partitions }: Log): number => partitionOf(ORGANIZATION_KEY, partitions);

/**
 * The offset after the last record that the partition with the organization has now.
 * @throws LogUnavailableError
 */
export const organizationEnd = async (log: Log): Promise<number> =>
  (await log.ends(INTAKE_TOPIC))[partitionOfOrganization(log)]!;

/**
 * Whether no act on the organization waits to be folded: one of these may create or remove an integration.
 * @param until offset up to which acts have to be folded; omitted: the end of the log
 * @throws LogUnavailableError
 */
export async function isOrganizationFolded(db: Kysely<Schema>, log: Log, until?: number): Promise<boolean> {
  const end = until ?? (await organizationEnd(log));
  const position = await db
    .selectFrom('projection_positions')
    .select('next_offset')
    .where('partition', '=', partitionOfOrganization(log))
    .executeTakeFirst();
  return (position?.next_offset ?? 0) >= end;
}
