export * from './act-record.ts';
export { assertFoldedFrom } from './assert-folded-from.ts';
export * from './import-mark.ts';
export * from './inbox-topics.ts';
export * from './intake-topic.ts';
export * from './log-chain.ts';
export * from './log-mismatch-error.ts';
export * from './open-log.ts';
export * from './restore-mark.ts';
