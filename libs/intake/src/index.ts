export * from './intake-topic.ts';
export * from './open-log.ts';
