import { evolve, noEffects, type PartitionState } from '#libs/domain';
import type { DecodedRecord } from './decode-batch.ts';
import { type CachedEntity, entityBytes } from './entity-cache.ts';
import type { CausedChange, FoldedBatch } from './projection-writer.ts';

export type FoldResult = Pick<FoldedBatch, 'changes' | 'touched' | 'uploads'>;

/** Folds decoded records in order into the states given, which move on in place; gathers what is to be written. */
export function foldBatch(
  state: PartitionState,
  entities: ReadonlyMap<string, CachedEntity>,
  decoded: DecodedRecord[],
): FoldResult {
  const effects = noEffects();
  const changes: CausedChange[] = [];
  const uploadIds = new Set<string>();
  for (const { record, event } of decoded) {
    const { envelope } = event;
    const entity = entities.get(envelope.entityKey)!;
    evolve(state, entity.state, event, effects);
    for (const change of effects.changes) {
      const json = JSON.stringify(change.kind === 'asset' ? change.asset : change.finding);
      changes.push({ change, json, envelope, offset: record.offset });
      entity.bytes += entityBytes(json.length);
    }
    effects.changes = [];
    if (envelope.cause.uploadId !== null) uploadIds.add(envelope.cause.uploadId);
  }
  return { changes, touched: effects, uploads: [...uploadIds].map((id) => state.uploads.get(id)!) };
}
