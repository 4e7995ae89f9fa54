import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const segmentOf = (kafka: string, topic: string, partition: number): string =>
  join(kafka, 'node-1', 'data', `${topic}-${partition}`, '00000000000000000000.log');

/** Of the first segment of a partition on the only broker of a folder. */
export const bytesOfPartition = async (kafka: string, topic: string, partition: number): Promise<number> =>
  (await stat(segmentOf(kafka, topic, partition))).size;

/** As a power loss may leave it; the broker must have been killed. */
export const cutPartition = (kafka: string, topic: string, partition: number, bytes: number): Promise<void> =>
  truncate(segmentOf(kafka, topic, partition), bytes);
