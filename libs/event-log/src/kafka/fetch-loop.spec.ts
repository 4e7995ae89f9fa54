import { expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { AboveEndError } from '../event-log.ts';
import { FetchLoop } from './fetch-loop.ts';
import { PartitionFeed } from './partition-feed.ts';
import type { TopicCluster } from './topic-cluster.ts';

const BUSY = 'not to be read';

it('reports a broker that cannot be read for a while, once in a longer while, until it can', async () => {
  let isBroken = true;
  let [failed, read] = [0, 0];
  const cluster = {
    leadersOf: async () => [['1', [0]]],
    fetch: async () => {
      // As a broker that has nothing new.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (!isBroken) {
        read++;
        return [];
      }
      failed++;
      throw new Error(BUSY);
    },
    refresh: async () => {},
  } as unknown as TopicCluster;
  const troubles: { message: string; failed: number }[] = [];
  const feeds = new Map<number, PartitionFeed>();
  const onTrouble = (error: unknown) => troubles.push({ message: (error as Error).message, failed });
  const loop = new FetchLoop(cluster, 't', feeds, onTrouble, { afterMs: 300, everyMs: 1e9 });
  const feed = new PartitionFeed(0, () => loop.ring());
  feeds.set(0, feed);
  try {
    feed.seek(0);
    await until('several failures', () => failed >= 6);
    expect(troubles).toMatchObject([{ message: BUSY }]);
    expect(troubles[0]!.failed).toBeGreaterThan(1);

    isBroken = false;
    await until('a success', () => read > 0);
    const before = failed;
    isBroken = true;
    await until('a second report', () => troubles.length === 2);
    // The time of the first failures does not count.
    expect(troubles[1]!.failed).toBeGreaterThan(before + 1);
  } finally {
    feed.close();
    await loop.stop();
  }
});

it('asks once where to continue if the log ends before an offset that was reached', async () => {
  let fetches = 0;
  const cluster = {
    leadersOf: async () => [['1', [0]]],
    fetch: async () => {
      fetches++;
      throw Object.assign(new Error('out of range'), {
        name: 'KafkaJSProtocolError',
        type: 'OFFSET_OUT_OF_RANGE',
      });
    },
    offsetsOf: async (_topic: string, _partitions: number[], which: string) =>
      new Map([[0, which === 'first' ? 0 : 100]]),
    refresh: async () => {},
  } as unknown as TopicCluster;
  const feeds = new Map<number, PartitionFeed>();
  const loop = new FetchLoop(cluster, 't', feeds, () => {});
  const feed = new PartitionFeed(0, () => loop.ring());
  feeds.set(0, feed);
  try {
    feed.seek(110);
    await expect(feed.take({ recordsMax: 1, bytesMax: 1 })).rejects.toThrow(
      new AboveEndError('records are missing from the log: t/0 ends at 100, but offset 110 was requested'),
    );
    feed.seek(110);
    const before = fetches;
    await until('several tries', () => fetches > before + 2);
  } finally {
    feed.close();
    await loop.stop();
  }
});
