import { RecordsGoneError } from '../event-log.ts';
import { available } from './client-error.ts';
import type { TopicCluster } from './topic-cluster.ts';

/**
 * Says why an offset could not be read: the log begins after it. Undefined where the offset only lies above the end,
 * where a record may come to be.
 * @throws LogUnavailableError
 */
export async function goneError(
  cluster: TopicCluster,
  topic: string,
  partition: number,
  from: number,
): Promise<RecordsGoneError | undefined> {
  const first = (await available(cluster.offsetsOf(topic, [partition], 'first'))).get(partition)!;
  if (from >= first) return undefined;
  return new RecordsGoneError(
    `records are missing from the log: ${topic}/${partition} begins at ${first}, and ${from} was asked for`,
  );
}
