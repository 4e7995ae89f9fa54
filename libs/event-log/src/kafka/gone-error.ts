import { RecordsGoneError } from '../event-log.ts';
import { available } from './client-error.ts';
import type { TopicCluster } from './topic-cluster.ts';

/**
 * The reason why an offset could not be read: the log begins after it. Undefined if the offset is only above the end,
 * where a record can be appended.
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
    `records are missing from the log: ${topic}/${partition} begins at ${first}, but offset ${from} was requested`,
  );
}
