import type { PartitionState } from '#libs/domain';
import type { EntityCache } from './entity-cache.ts';
import type { ProjectionPosition } from './projection-reader.ts';

/**
 * What this process knows of a partition that it holds: true for exactly `position.nextOffset`. It is thrown away on
 * every assignment and after every failure, and read anew.
 */
export interface PartitionSession {
  position: ProjectionPosition;
  state: PartitionState;
  entities: EntityCache;
  /** Set by a seek: a first record above the position is then a hole in the log. */
  hasJustSought: boolean;
}
