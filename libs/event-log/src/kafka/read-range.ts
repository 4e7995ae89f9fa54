import { DEFAULT_BOUNDS } from '../delivery/batch-bounds.ts';
import { LogDamagedError, LogUnavailableError, type StoredRecord } from '../event-log.ts';
import { isProtocolError, unavailable } from './client-error.ts';
import { committedRecords, type FetchedPartition } from './committed-records.ts';
import { goneError } from './gone-error.ts';
import { FETCH_BYTES_MAX, FETCH_BYTES_MIN } from './limits.ts';
import { takeBatch } from './take-batch.ts';
import type { TopicCluster } from './topic-cluster.ts';

export interface Range {
  topic: string;
  partition: number;
  /** Offsets of [from, to); `to` must not be above the end. */
  from: number;
  to: number;
}

const WAIT_MS_MAX = 250;
/** An empty fetch below the end is retried with a larger size. After this number the log counts as unavailable. */
const BARREN_FETCHES_MAX = 40;

/**
 * The records of a range in order, in bounded batches, none of them empty. It joins no group and leaves no trace.
 * @throws LogUnavailableError, LogDamagedError, or Error if the beginning of the range was removed from the log
 */
export async function* readRange(cluster: TopicCluster, range: Range): AsyncGenerator<StoredRecord[]> {
  let { from } = range;
  let bytesMax = FETCH_BYTES_MIN;
  let barren = 0;
  while (from < range.to) {
    const { records, next } = readableRecords(
      range,
      await fetchFrom(cluster, { ...range, from }, bytesMax),
      from,
    );
    barren = next === from ? barren + 1 : 0;
    bytesMax = next === from ? Math.min(2 * bytesMax, FETCH_BYTES_MAX) : FETCH_BYTES_MIN;
    if (barren > BARREN_FETCHES_MAX)
      throw new LogUnavailableError(
        `${range.topic}/${range.partition} returned no records from offset ${from}`,
      );
    from = next;
    let rest = records.filter(({ offset }) => offset < range.to);
    while (rest.length > 0) {
      const batch = takeBatch(rest, DEFAULT_BOUNDS);
      yield batch;
      rest = rest.slice(batch.length);
    }
  }
}

function readableRecords({ topic, partition }: Range, fetched: FetchedPartition, from: number) {
  try {
    return committedRecords(fetched, from);
  } catch (error) {
    throw new LogDamagedError(`${topic}/${partition}: ${(error as Error).message}`, { cause: error });
  }
}

async function fetchFrom(
  cluster: TopicCluster,
  { topic, partition, from }: Range,
  bytesMax: number,
): Promise<FetchedPartition> {
  try {
    return await cluster.withRetry(async () => {
      const [leader] = await cluster.leadersOf(topic, [partition]);
      const bounds = { waitMsMax: WAIT_MS_MAX, bytesMax };
      const [fetched] = await cluster.fetch(leader![0], topic, [{ partition, from, bytesMax }], bounds);
      if (!fetched) throw new Error(`no response for ${topic}/${partition}`);
      return fetched;
    });
  } catch (error) {
    if (!isProtocolError(error, 'OFFSET_OUT_OF_RANGE')) throw unavailable(error);
    throw (await goneError(cluster, topic, partition, from)) ?? unavailable(error);
  }
}
