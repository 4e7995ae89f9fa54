import { partitionOf } from '#libs/contracts';

/** @throws RangeError if a log of `partitions` has no such one */
export function assertPartition(partition: number, partitions: number): void {
  if (!Number.isInteger(partition) || partition < 0 || partition >= partitions) {
    throw new RangeError(
      `partition ${partition} does not exist: this log has ${partitions} partitions, starting at 0`,
    );
  }
}

/** @throws RangeError if records cannot be removed up to there, see `EventLog.trim` */
export function assertTrimmable(before: number, end: number): void {
  if (!Number.isSafeInteger(before) || before < 0 || before > end) {
    throw new RangeError(`nothing can be removed before offset ${before}: the partition ends at ${end}`);
  }
}

/**
 * The partition of a record: the one that it names, else its key's.
 * @throws RangeError as `assertPartition`
 */
export function placeOf(record: { key: string; partition?: number }, partitions: number): number {
  const { key, partition = partitionOf(key, partitions) } = record;
  assertPartition(partition, partitions);
  return partition;
}
