export { readAssetChanges } from './asset-changes.ts';
export * from './change-cursor.ts';
export { changeJson } from './change-json.ts';
export { cursorAt } from './cursor-at.ts';
export { readFindingChanges } from './finding-changes.ts';
export { type ChangeBounds, HistoryGapError, type HistoryRange } from './history-range.ts';
export { readChanges } from './read-changes.ts';
export { readHeads } from './read-heads.ts';
export { readScoreChanges } from './score-changes.ts';
