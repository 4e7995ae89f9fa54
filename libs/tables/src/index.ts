export { assetStateAt, placeAt, typingAt } from './as-of/asset-at.ts';
export { changeAt, fellDueAt, isSeenUntil, LAST_SEEN } from './as-of/finding-at.ts';
export { entityBytes, type LoadedEntity } from './fold-state/loaded-entity.ts';
export { readEntities } from './fold-state/read-entities.ts';
export { readPosition } from './fold-state/read-position.ts';
export { readUploads } from './fold-state/read-uploads.ts';
export * from './folded-tables.ts';
export * from './page-bytes.ts';
export { readOrganization } from './read-organization.ts';
