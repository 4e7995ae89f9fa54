export { SortedRuns } from './sorted-runs.ts';
