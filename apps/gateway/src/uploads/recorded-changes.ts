import type { UploadChanges } from '#libs/domain';
import type { PartitionChanges } from './upload-changes.repository.ts';

/** What an upload changed in a partition. */
export interface RecordedChanges {
  partition: number;
  changes: UploadChanges;
}

/** Of each partition in which something of the upload is folded; null: unknown. */
export const recordedIn = (partitions: readonly PartitionChanges[]): (RecordedChanges | null)[] =>
  partitions.map(({ partition, changes }) => changes && { partition, changes });

export const areKnown = (recorded: (RecordedChanges | null)[]): recorded is RecordedChanges[] =>
  recorded.every((one) => one !== null);
