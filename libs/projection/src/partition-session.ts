import type { PartitionState } from '#libs/domain';
import type { PartitionPosition } from '#libs/fold';
import type { EntityCache } from './entity-cache.ts';

/**
 * The in-memory state of an owned partition, valid for exactly `position.nextOffset` of its tables. It is dropped on
 * every assignment and after every failure, and read again.
 */
export interface PartitionSession {
  partition: number;
  position: PartitionPosition;
  /** Of `ensurePosition`: the tables from which this state was read. */
  table: number;
  uploads: PartitionState['uploads'];
  entities: EntityCache;
  /** Set by a seek: a first record above the position is then a hole in the log. */
  hasJustSought: boolean;
}
