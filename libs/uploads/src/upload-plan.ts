import { partitionOf } from '#libs/contracts';
import type { AssetRules, EntityDescription, FindingType, UploadHeader, Warning } from '#libs/domain';

/** The field of a signal that the plan needs: its entity. */
export interface PlannedSignal {
  entityKey: string;
  payload: { entity: Pick<EntityDescription, 'name'>; assetRules: Pick<AssetRules, 'matching'> };
}

/** How an entity's assessment is closed (R-ZIP-14). */
export interface Closing {
  /** Place of the entity's last signal among the upload's. */
  after: number;
  /** Names that the upload calls the entity by, 1,000 for each event. */
  names: string[][];
  matching: AssetRules['matching'];
}

/** Data of an upload as a whole that is needed before its first event can be written. */
export interface UploadPlan {
  header: UploadHeader;
  /** Partition → number of the upload's events in it (R-FOLD-5). */
  counts: ReadonlyMap<number, number>;
  /** Entity key → its closing; empty if nothing is replaced. */
  closings: ReadonlyMap<string, Closing>;
}

export interface PlanOptions {
  partitions: number;
  /** From config.json; empty: append, nothing is replaced (R-ZIP-11). */
  fullAssessmentForTypes: FindingType[];
  assetMatchingCriteria: string[];
}

/** The effect of omitted entries on the rest (R-ZIP-6). */
export interface ExcludedEntities {
  rejected: number;
  /** Entities with a rejected entry, whose assessment is not whole; `all` if one could not be read. */
  entities: ReadonlySet<string> | 'all';
}

/** Of one event, so that it fits a record of the log. */
const CLOSED_NAMES_MAX = 1_000;

/** Gathers the plan of an upload, signal by signal in their order; remembers entities, not signals. */
export class UploadPlanner {
  private readonly entities = new Map<string, { closing: Closing; names: Set<string>; signals: number }>();
  private signals = 0;

  constructor(private readonly options: PlanOptions) {}

  add({ entityKey, payload }: PlannedSignal): void {
    const index = this.signals++;
    const known = this.entities.get(entityKey) ?? this.addEntity(entityKey, payload.assetRules.matching);
    known.closing.after = index;
    known.names.add(payload.entity.name);
    known.signals += 1;
  }

  /** The keys of all entities that were added. */
  get entityKeys(): Iterable<string> {
    return this.entities.keys();
  }

  /**
   * `warnings` are those of the whole upload, already cut to the first 100.
   * @param logKey the key of an entity in the log: the plan is for events with these keys
   */
  finish(
    warnings: Warning[],
    excluded: ExcludedEntities = { rejected: 0, entities: new Set() },
    logKey = (entityKey: string) => entityKey,
  ): UploadPlan {
    const counts = new Map<number, number>();
    const closings = new Map<string, Closing>();
    let events = 0;
    for (const [entityKey, { closing, names, signals }] of this.entities) {
      const closed = this.isClosed(entityKey, excluded.entities) ? inParts([...names]) : [];
      const key = logKey(entityKey);
      if (closed.length > 0) closings.set(key, { ...closing, names: closed });
      const partition = partitionOf(key, this.options.partitions);
      const count = signals + closed.length;
      counts.set(partition, (counts.get(partition) ?? 0) + count);
      events += count;
    }
    return {
      header: {
        events,
        signals: this.signals,
        rejected: excluded.rejected,
        assetMatchingCriteria: this.options.assetMatchingCriteria,
        fullAssessmentForTypes: this.options.fullAssessmentForTypes,
        warnings,
      },
      counts,
      closings,
    };
  }

  private addEntity(entityKey: string, matching: AssetRules['matching']) {
    const entity = {
      closing: { after: 0, names: [], matching },
      names: new Set<string>(),
      signals: 0,
    };
    this.entities.set(entityKey, entity);
    return entity;
  }

  private isClosed(entityKey: string, excluded: ExcludedEntities['entities']): boolean {
    return this.options.fullAssessmentForTypes.length > 0 && excluded !== 'all' && !excluded.has(entityKey);
  }
}

function inParts(names: string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < names.length; at += CLOSED_NAMES_MAX)
    parts.push(names.slice(at, at + CLOSED_NAMES_MAX));
  return parts;
}
