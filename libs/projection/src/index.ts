export * from './decode-batch.ts';
export type { CachedEntity } from './entity-cache.ts';
export { foldBatch } from './fold-batch.ts';
export * from './projection.ts';
export { readEntities, readPosition } from './projection-reader.ts';
export {
  arrayLiteral,
  type CausedAct,
  type CausedChange,
  causeOf,
  firstDue,
  idleSince,
} from './projection-writer.ts';
