export { readAssetChanges } from './asset-changes.ts';
export { readFindingChanges } from './finding-changes.ts';
export { type ChangeBounds, HistoryGapError } from './history-range.ts';
