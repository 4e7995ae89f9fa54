export * from './consumer-groups.ts';
export * from './consumer-server.ts';
export * from './health/health.controller.ts';
export * from './health/readiness.ts';
export { connectEventLog, openEventLog } from './open-event-log.ts';
export * from './open-program.ts';
export * from './run-program.ts';
export * from './start-consumer.ts';
export { startWorker } from './start-worker.ts';
