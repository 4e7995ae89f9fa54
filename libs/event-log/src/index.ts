export * from './event-log.ts';
export * from './partition-of.ts';
