import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC, isBeingRestored, RESTORE_UNFINISHED } from '#libs/intake';
import type { LogExtent } from '#libs/log-archive';
import { failure, usageError } from '../cli-error.ts';

/**
 * Ensures that a database can continue with the log of a file without loss: a new database can, and one that was folded
 * from this log and not further.
 * @param databaseLog the log in the database, if the file is imported into another one:
 * it may have changed since the export
 * @throws CliError exit 2 if they do not belong together; exit 1 if the database is being restored
 */
export async function assertBelongs(
  { logId, ends }: LogExtent,
  db: Kysely<Schema>,
  databaseLog: EventLog | undefined,
): Promise<void> {
  if (await isBeingRestored(db)) throw failure(RESTORE_UNFINISHED);
  const identity = await db.selectFrom('log_identity').selectAll().executeTakeFirst();
  if (identity && identity.log_id !== logId) {
    throw usageError(
      `the database belongs to log ${identity.log_id}, but the file contains log ${logId}: import into a new database`,
    );
  }
  const positions = await db
    .selectFrom('projection_positions')
    .select(['partition', 'next_offset as offset'])
    .execute();
  const ahead = positions.find(({ partition, offset }) => offset > (ends[partition] ?? 0));
  if (ahead) {
    throw usageError(
      `the database was folded up to partition ${ahead.partition}, offset ${ahead.offset}, but the file ends at ${ends[ahead.partition] ?? 0}: ${EXPORT_AGAIN}`,
    );
  }
  for (const [partition, end] of ((await databaseLog?.ends(INTAKE_TOPIC)) ?? []).entries()) {
    if (end <= ends[partition]!) continue;
    throw usageError(
      `the log in the database extends to partition ${partition}, offset ${end}, but the file ends at ${ends[partition]}: ${EXPORT_AGAIN}`,
    );
  }
}

const EXPORT_AGAIN = 'stop the service and export again to avoid losing records';
