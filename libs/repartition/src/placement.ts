import { partitionOf } from '#libs/contracts';
import type { StoredRecord } from '#libs/event-log';

/**
 * Where the records of a log belong in a log with a multiple of its partitions. As the partition of a key is its hash
 * modulo their number, the entities of a new partition were all in one old partition, so their order is known.
 */
export class Placement {
  /** @param to a multiple of `from`, and more */
  constructor(
    readonly from: number,
    readonly to: number,
  ) {}

  oldPartitionOf(partition: number): number {
    return partition % this.from;
  }

  /** New partitions for the records of an old one, in order. */
  partitionsFrom(oldPartition: number): number[] {
    return Array.from({ length: this.to / this.from }, (_, i) => oldPartition + i * this.from);
  }

  /** New partition of a record of an entity; a record in a partition that is not of its key keeps the number. */
  of({ key, partition }: Pick<StoredRecord, 'key' | 'partition'>): number {
    return partitionOf(key, this.from) === partition ? partitionOf(key, this.to) : partition;
  }
}
