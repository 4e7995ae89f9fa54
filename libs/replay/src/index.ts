export { ShadowCheckError } from './check-shadow.ts';
export type { Comparison, Difference } from './compare-partition.ts';
export * from './replay-site.ts';
export { ShadowBusyError } from './shadow.ts';
export * from './verify-site.ts';
