export * from './metrics/change-metrics.ts';
export * from './metrics/exposition.ts';
export * from './metrics/fold-metrics.ts';
export * from './metrics/http-metrics.ts';
export * from './metrics/process-metrics.ts';
export * from './metrics/sync-metrics.ts';
export * from './tracing/start-tracing.ts';
export * from './tracing/tracing.ts';
