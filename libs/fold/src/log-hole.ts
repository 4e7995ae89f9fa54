import type { StoredRecord } from '#libs/event-log';

/** A record is missing from the log: nothing can be folded past it. */
export class LogHoleError extends Error {
  override name = 'LogHoleError';
}

/** Index of the first record that does not follow the one before it; -1 if there is none. */
const holeIn = (records: StoredRecord[], next: number): number =>
  records.findIndex(({ offset }, i) => offset !== next + i);

/**
 * @param next offset of the first record
 * @throws LogHoleError unless the records follow one another from there
 */
export function assertNoHole(records: StoredRecord[], next: number): void {
  const hole = holeIn(records, next);
  if (hole < 0) return;
  const { partition, offset } = records[hole]!;
  throw new LogHoleError(
    `partition ${partition} continues at offset ${offset}, but ${next + hole} is next: records are missing from the log`,
  );
}

/** @throws LogHoleError if a partition was read to its end, and that is before a known one */
export function assertReached(partition: number, next: number, end: number): void {
  if (next >= end) return;
  throw new LogHoleError(
    `partition ${partition} ends at offset ${next}, but ${end} is known: records are missing from the log`,
  );
}

/** The records before the first hole among them. */
export function upToHole(records: StoredRecord[]): StoredRecord[] {
  const hole = holeIn(records, records[0]!.offset);
  return hole < 0 ? records : records.slice(0, hole);
}
