import { CorruptRecordError, IntakeDecoder } from '#libs/contracts';
import { clockAfter, type DigestOf, type IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { errorOf } from './unknown-record.ts';

export interface DecodedRecord {
  record: StoredRecord;
  event: IntakeEvent;
  digestOf: DigestOf;
}

export interface QuarantinedRecord {
  record: StoredRecord;
  reason: string;
  /** The partition's clock before it: corrupt records have no time, and the log's own is another after a move. */
  at: number;
}

export interface DecodedBatch {
  decoded: DecodedRecord[];
  quarantined: QuarantinedRecord[];
}

const unknownDigest: DigestOf = () => null;

/**
 * Records as events. Corrupt records with a known schema go to the quarantine.
 * @param clock the partition's clock before them, in epoch milliseconds
 * @throws UnknownRecordError
 */
export function decodeBatch(records: StoredRecord[], clock: number): DecodedBatch {
  const decoded: DecodedRecord[] = [];
  const quarantined: QuarantinedRecord[] = [];
  const decoder = new IntakeDecoder();
  let at = clock;
  for (const record of records) {
    try {
      const { event, bytes } = decoder.decode(record.value);
      at = clockAfter(at, event);
      decoded.push({ record, event, digestOf: bytes?.digestOf ?? unknownDigest });
    } catch (error) {
      if (!(error instanceof CorruptRecordError)) throw errorOf(record, error);
      quarantined.push({ record, reason: error.message, at });
    }
  }
  return { decoded, quarantined };
}
