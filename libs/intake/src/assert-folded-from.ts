import { type Kysely, sql } from 'kysely';
import { decodeIntake } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { type EventLog, findShortfall, type Position } from '#libs/event-log';
import { INTAKE_TOPIC } from './intake-topic.ts';
import { LogMismatchError } from './log-mismatch-error.ts';

/**
 * Verifies that the log of a partition is the one that its tables were folded from (R-LOG-3). A log that was cut, such
 * as by a power loss, reaches the stored position again as soon as enough is appended: the records up to it would never
 * be folded. So the record of the last change is compared, too.
 * @param position as stored
 * @throws LogMismatchError
 */
export async function assertFoldedFrom(db: Kysely<Schema>, log: EventLog, position: Position): Promise<void> {
  const { partition, offset } = position;
  await assertReached(log, [position]);
  const last = await lastChange(db, partition);
  if (!last || last.offset < (await log.starts(INTAKE_TOPIC))[partition]!) return;
  if ((await eventIdAt(log, { partition, offset: last.offset })) === last.eventId) return;
  throw new LogMismatchError(
    `The database has folded partition ${partition} up to offset ${offset}, but the log now has another record at offset ` +
      `${last.offset}: records were lost, and others were appended after that. Restore the log with ` +
      '`posture import-log`, or fold the remaining records with `posture replay --records-lost`.',
  );
}

/** @throws LogMismatchError if the log ends before one of the stored positions */
export async function assertReached(log: EventLog, positions: Position[]): Promise<void> {
  const short = await findShortfall(log, INTAKE_TOPIC, positions);
  if (!short) return;
  throw new LogMismatchError(
    `The database has folded partition ${short.partition} up to offset ${short.offset}, but the log ends at ` +
      `${short.end}: records were lost, or this is not the current log. Set KAFKA_BROKERS of the current log, ` +
      'restore it with `posture import-log`, or fold the remaining records with `posture replay --records-lost`.',
  );
}

async function lastChange(
  db: Kysely<Schema>,
  partition: number,
): Promise<{ offset: number; eventId: string } | undefined> {
  const lastOf = (table: string) => sql`
    (select log_offset as offset, cause ->> 'eventId' as "eventId" from ${sql.table(table)}
      where partition = ${partition} order by sequence desc limit 1)`;
  const { rows } = await sql<{ offset: number; eventId: string }>`
    ${lastOf('finding_history')} union all ${lastOf('asset_history')} order by 1 desc limit 1`.execute(db);
  return rows[0];
}

async function eventIdAt(log: EventLog, { partition, offset }: Position): Promise<string | undefined> {
  for await (const [record] of log.read(INTAKE_TOPIC, partition, offset, offset + 1)) {
    return decodeIntake(record!.value).envelope.id;
  }
  return undefined;
}
