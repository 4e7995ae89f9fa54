export * from './event-log.ts';
export * from './nest/batch-decorators.ts';
export * from './nest/batch-server.ts';
export * from './partition-of.ts';
export { PostgresEventLog, type PostgresEventLogOptions } from './postgres/postgres-event-log.ts';
export * from './token.ts';
