export * from './import-log.ts';
export type { LogExtent, LogSummary } from './log-check.ts';
export * from './log-content-error.ts';
export * from './log-file.ts';
export * from './read-extent.ts';
export * from './write-log-file.ts';
