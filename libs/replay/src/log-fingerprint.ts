import { createHash } from 'node:crypto';

/** As much of a partition as a fingerprint speaks of. */
export interface FingerprintPart {
  partition: number;
  /** How many records. */
  records: number;
  /** Head of the partition's chain over them (`chainAfter`), 32 bytes. */
  head: Buffer;
}

/**
 * One value for a whole history, as 64 hexadecimal digits: the SHA-256 of a text in UTF-8 with a line for the log,
 * `LOG-ID`, and one for each partition in ascending order, `PARTITION RECORDS HEAD`, each ended by a line feed, the
 * head in hexadecimal. Two logs have the same fingerprint if every partition has the same records in the same order
 * (R-LOG-9).
 */
export function logFingerprint(logId: string, parts: readonly FingerprintPart[]): string {
  const lines = parts.map(
    ({ partition, records, head }) => `${partition} ${records} ${head.toString('hex')}`,
  );
  return createHash('sha256')
    .update(`${[logId, ...lines].join('\n')}\n`)
    .digest('hex');
}
