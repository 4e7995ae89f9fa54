import { createRequire } from 'node:module';

// The package is CommonJS with a default export that Node's ESM loader does not see through.
const murmurhash = createRequire(import.meta.url)('murmurhash') as {
  v2(key: Uint8Array, seed: number): number;
};

/** The seed of Kafka's default partitioner, so that its own clients find the same partition for a key. */
const KAFKA_SEED = 0x9747b28c;

/** Partition of a key, in [0, partitions); a key never moves, so the count is chosen once (design "Topics"). */
export const partitionOf = (key: string, partitions: number): number =>
  (murmurhash.v2(Buffer.from(key), KAFKA_SEED) & 0x7fffffff) % partitions;

/** @throws RangeError where a log of `partitions` has no such one */
export function assertPartition(partition: number, partitions: number): void {
  if (!Number.isInteger(partition) || partition < 0 || partition >= partitions) {
    throw new RangeError(`there is no partition ${partition}: this log has ${partitions}, from 0`);
  }
}

/** @throws RangeError where records cannot be removed up to there, see `EventLog.trim` */
export function assertTrimmable(before: number, end: number): void {
  if (!Number.isSafeInteger(before) || before < 0 || before > end) {
    throw new RangeError(`nothing can be removed before offset ${before}: the partition ends at ${end}`);
  }
}

/**
 * Where a record goes: the partition that it names, else its key's.
 * @throws RangeError as `assertPartition`
 */
export function placeOf(record: { key: string; partition?: number }, partitions: number): number {
  const { key, partition = partitionOf(key, partitions) } = record;
  assertPartition(partition, partitions);
  return partition;
}
