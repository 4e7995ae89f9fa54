import {
  type Act,
  type Change,
  type EntityState,
  evolve,
  initialEntity,
  initialPartition,
  noEffects,
  type PartitionState,
} from '#libs/domain';
import type { LoggedEvent } from './histories.ts';

/** A history folded only by the domain, in memory: the expected result of every store. */
export interface DomainFold {
  partitions: Map<number, PartitionState>;
  /** By entity key. */
  entities: Map<string, EntityState>;
  /** In the order of each partition's log. */
  changes: { partition: number; change: Change }[];
  acts: { partition: number; act: Act }[];
}

export function foldByDomain(events: LoggedEvent[]): DomainFold {
  const fold: DomainFold = { partitions: new Map(), entities: new Map(), changes: [], acts: [] };
  for (const { partition, event } of events) {
    const { entityKey } = event.envelope;
    if (!fold.partitions.has(partition)) fold.partitions.set(partition, initialPartition(partition));
    if (!fold.entities.has(entityKey)) fold.entities.set(entityKey, initialEntity(entityKey));
    const effects = noEffects();
    evolve(fold.partitions.get(partition)!, fold.entities.get(entityKey)!, event, effects);
    fold.changes.push(...effects.changes.map((change) => ({ partition, change })));
    fold.acts.push(...effects.acts.map((act) => ({ partition, act })));
  }
  return fold;
}
