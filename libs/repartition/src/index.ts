export { PartitionPlanner } from './partition-plan.ts';
export { Placement } from './placement.ts';
export { RecordPlacer } from './record-placer.ts';
export * from './repartition-backup.ts';
