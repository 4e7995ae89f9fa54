import { cloudEvent, SEQUENCE_HEADER } from '#libs/changes';
import type { LogRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type OutboxBatch, type OutboxPosition, TableOutbox } from '#libs/publish';

/** Intake records that are corrupt under a known schema (R-FOLD-7), unchanged, with their position and the reason. */
export const QUARANTINE_TOPIC = 'posture.quarantine';

/** A record has up to 4 MB. */
const RECORDS_MAX = 4;

/** The quarantine of a partition; the sequence of a record is its intake offset + 1, so there are gaps. */
export class QuarantineOutbox extends TableOutbox {
  readonly topic = QUARANTINE_TOPIC;

  async isInUse(partition: number): Promise<boolean> {
    const any = await this.db
      .selectFrom('quarantine')
      .select('log_offset')
      .where('partition', '=', partition)
      .limit(1)
      .executeTakeFirst();
    return any !== undefined;
  }

  async next(partition: number, { sequence }: OutboxPosition): Promise<OutboxBatch | null> {
    const rows = await this.db
      .selectFrom('quarantine')
      .select(['log_offset', 'key', 'value', 'reason', 'at'])
      .where('partition', '=', partition)
      .where('log_offset', '>=', sequence)
      .orderBy('log_offset')
      .limit(RECORDS_MAX)
      .execute();
    const last = rows.at(-1);
    if (!last) return null;
    return {
      records: rows.map((row) => quarantineRecord(partition, row)),
      position: { sequence: last.log_offset + 1, deletion: 0 },
      hasMore: true,
    };
  }
}

interface Quarantined {
  log_offset: number;
  key: string;
  value: Buffer;
  reason: string;
  at: number;
}

const quarantineRecord = (
  partition: number,
  { log_offset: offset, key, value, reason, at }: Quarantined,
): LogRecord => ({
  key,
  value,
  headers: {
    ...cloudEvent({
      uniqueName: `${QUARANTINE_TOPIC}/${partition}/${offset}`,
      type: 'posture.intake.quarantined',
      partition,
      at,
      subject: key,
    }),
    reason,
    position: `${INTAKE_TOPIC}/${partition}/${offset}`,
    [SEQUENCE_HEADER]: `${offset + 1}`,
  },
});
