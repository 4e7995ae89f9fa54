import { CorruptRecordError, decodeIntake } from '#libs/contracts';
import type { IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';

export interface DecodedRecord {
  record: StoredRecord;
  event: IntakeEvent;
}

export interface QuarantinedRecord {
  record: StoredRecord;
  reason: string;
}

/**
 * Records as events. What is corrupt under a known schema goes to the quarantine.
 * @throws UnknownSchemaError: the partition stops until this version is upgraded (rule 7)
 */
export function decodeBatch(records: StoredRecord[]): {
  decoded: DecodedRecord[];
  quarantined: QuarantinedRecord[];
} {
  const decoded: DecodedRecord[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const record of records) {
    try {
      decoded.push({ record, event: decodeIntake(record.value) });
    } catch (error) {
      if (!(error instanceof CorruptRecordError)) throw error;
      quarantined.push({ record, reason: error.message });
    }
  }
  return { decoded, quarantined };
}
