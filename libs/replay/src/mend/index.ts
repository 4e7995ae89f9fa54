export * from './clock-notes.ts';
export * from './mend-partition.ts';
export { mendsOf } from './mends-of.ts';
export * from './partitions-ahead.ts';
export { TwoFolds } from './two-folds.ts';
