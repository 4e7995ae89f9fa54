import { evolve, noEffects, type PartitionState } from '#libs/domain';
import type { DecodedRecord } from './decode-batch.ts';
import { type CachedEntity, entityBytes } from './entity-cache.ts';
import type { CausedAct, CausedChange, FoldedBatch } from './projection-writer.ts';

export interface FoldResult
  extends Pick<FoldedBatch, 'changes' | 'touched' | 'uploads' | 'acts' | 'organization'> {
  /** The first so many of the records given. */
  folded: number;
  /** Events among them that a wrong clock had stamped. */
  setAside: number;
}

/**
 * Characters of JSON to stop behind. A small signal may change a large finding, which is stored whole with each change:
 * a thousand of them come to gigabytes. On its way a character is in memory about four times, in four partitions.
 */
const CHANGED_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * Folds decoded records in order into the states given, which move on in place; gathers what is to be written. As many
 * of the first records as the memory holds the changes of, at least one.
 */
export function foldBatch(
  state: PartitionState,
  entities: ReadonlyMap<string, CachedEntity>,
  decoded: DecodedRecord[],
): FoldResult {
  const effects = noEffects();
  const changes: CausedChange[] = [];
  const acts: CausedAct[] = [];
  let organization: FoldedBatch['organization'] = null;
  const uploadIds = new Set<string>();
  let characters = 0;
  let folded = 0;
  for (const { record, event } of decoded) {
    const { envelope } = event;
    const entity = entities.get(envelope.entityKey)!;
    evolve(state, entity.state, event, effects);
    for (const change of effects.changes) {
      const json = JSON.stringify(change.kind === 'asset' ? change.asset : change.finding);
      changes.push({ change, json, envelope, offset: record.offset });
      entity.bytes += entityBytes(json.length);
      characters += json.length;
    }
    effects.changes = [];
    for (const act of effects.acts) acts.push({ act, envelope, offset: record.offset });
    effects.acts = [];
    if (effects.organization) organization = { key: envelope.entityKey, state: effects.organization };
    effects.organization = null;
    if (envelope.cause.uploadId !== null) uploadIds.add(envelope.cause.uploadId);
    folded += 1;
    if (characters >= CHANGED_CHARACTERS_MAX) break;
  }
  const uploads = [...uploadIds].map((id) => state.uploads.get(id)!);
  return { folded, setAside: effects.setAside, changes, touched: effects, uploads, acts, organization };
}
