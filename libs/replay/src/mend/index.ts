export * from './mend-partition.ts';
export * from './partitions-ahead.ts';
