import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';

/** The effects of wrong clocks on the folded part of a log; times are epoch milliseconds. */
export interface ClockNotes {
  /** Partitions with a clock that is later than the database's by more than an hour. */
  ahead: { partition: number; clock: number }[];
  /** Corrections in the log. */
  corrected: { partition: number; offset: number; from: string; to: string; reason: string }[];
}

export async function clockNotes(db: Kysely<Schema>): Promise<ClockNotes> {
  const ahead = await sql<ClockNotes['ahead'][number]>`
    select partition, clock from projection_positions
    where clock > clock_timestamp() + interval '1 hour' order by partition`.execute(db);
  const corrected = await sql<ClockNotes['corrected'][number]>`
    select partition, log_offset as offset, detail ->> 'from' as "from", detail ->> 'to' as "to",
           detail ->> 'reason' as reason
    from acts where action = 'clock.corrected' and refused is null order by partition, log_offset`.execute(
    db,
  );
  return { ahead: ahead.rows, corrected: corrected.rows };
}
