import type { Kysely } from 'kysely';
import { partitionOf } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { ORGANIZATION_KEY } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

type Log = Pick<EventLog, 'ends' | 'partitions'>;

const partitionOfOrganization = ({ partitions }: Pick<Log, 'partitions'>): number =>
  partitionOf(ORGANIZATION_KEY, partitions);

/**
 * The offset after the last record that the partition with the organization has now.
 * @throws LogUnavailableError
 */
export const organizationEnd = async (log: Log): Promise<number> =>
  (await log.ends(INTAKE_TOPIC))[partitionOfOrganization(log)]!;

/**
 * Whether the acts on the organization before an offset are folded: one of these may create or remove an integration.
 * A caller that waits reads the offset once, since other records of the partition can follow all the time.
 */
export async function isOrganizationFolded(
  db: Kysely<Schema>,
  log: Pick<Log, 'partitions'>,
  end: number,
): Promise<boolean> {
  const position = await db
    .selectFrom('projection_positions')
    .select('next_offset')
    .where('partition', '=', partitionOfOrganization(log))
    .executeTakeFirst();
  return (position?.next_offset ?? 0) >= end;
}
