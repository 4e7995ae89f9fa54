export { samplesOf } from './bootstrap.ts';
export type { ReliabilityBin } from './calibration.ts';
export * from './evaluate.ts';
export * from './forecasts.ts';
export { type Case, EVENTS_MIN } from './outcomes.ts';
