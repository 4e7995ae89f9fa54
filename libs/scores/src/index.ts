export { readChoices } from './choices/read-choices.ts';
export { LargeAssets } from './scoring/large-assets.ts';
export { type ScoredBatch, scorePartition } from './scoring/score-partition.ts';
export * from './subjects/index.ts';
export * from './sums/score-sums.ts';
