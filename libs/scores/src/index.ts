export { type ScoredBatch, scorePartition } from './scoring/score-partition.ts';
export * from './subjects/index.ts';
