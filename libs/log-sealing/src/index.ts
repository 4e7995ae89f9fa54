export { NewIds } from './new-ids.ts';
export { OldSubjects } from './old-subjects.ts';
export { RecordSealer } from './record-sealer.ts';
export * from './seal-backup.ts';
