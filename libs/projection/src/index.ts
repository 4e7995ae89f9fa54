export { arrayLiteral } from './array-literal.ts';
export { assetStateAt, placeAt, typingAt } from './as-of/asset-at.ts';
export { changeAt, fellDueAt, isSeenUntil, LAST_SEEN } from './as-of/finding-at.ts';
export * from './decode-batch.ts';
export type { CachedEntity } from './entity-cache.ts';
export { foldBatch } from './fold-batch.ts';
export * from './projection.ts';
export { readEntities, readPosition } from './projection-reader.ts';
export {
  type CausedAct,
  type CausedChange,
  causeOf,
  firstDue,
  idleSince,
} from './projection-writer.ts';
export { readOrganization } from './read-organization.ts';
