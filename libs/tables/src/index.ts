export { assetStateAt, placeAt, typingAt } from './as-of/asset-at.ts';
export { changeAt, isSeenUntil, lastSeenAt } from './as-of/finding-at.ts';
export { entityBytes, type LoadedEntity } from './fold-state/loaded-entity.ts';
export { readEntities } from './fold-state/read-entities.ts';
export { readPosition } from './fold-state/read-position.ts';
export { readNeeded, readUnreadEntities } from './fold-state/read-unread.ts';
export { readUploads } from './fold-state/read-uploads.ts';
export * from './folded-tables.ts';
export {
  historyKeptFrom,
  historyTrimmedThrough,
  selectHistoryKeptFrom,
  trimmedThrough,
} from './kept-history.ts';
export * from './owner-rules.ts';
export * from './page-bytes.ts';
export { readOrganization } from './read-organization.ts';
export * from './row-limits.ts';
export { soleAssetsJson } from './sole-assets.ts';
export {
  areTotalsExactSql,
  FINDINGS_TABLE_SQL,
  groupKeySql,
  SELECT_FINDINGS_TABLE,
} from './totals/totals-sql.ts';
export { changesJson, recordedChanges } from './upload-changes.ts';
