import { expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
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
