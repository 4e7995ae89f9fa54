export { readAssetChanges } from './asset-changes.ts';
export { readFindingChanges } from './finding-changes.ts';
export { type ChangeBounds, HistoryGapError, type HistoryRange } from './history-range.ts';
export { readScoreChanges } from './score-changes.ts';
