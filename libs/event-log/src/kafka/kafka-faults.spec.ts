import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type KafkaCluster, startKafka } from '../../../../deploy/kafka/broker.mjs';
import { withAdmin } from '../../../../test/fixtures/event-log/kafka-fixture.ts';
import { newGroup, RecordingHandler } from '../../../../test/fixtures/event-log/recording-handler.ts';
import { bytesOfPartition, cutPartition } from '../../../../test/support/cut-partition.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../../../../test/support/kafka.ts';
import { KafkaProxy } from '../../../../test/support/kafka-proxy.ts';
import { until } from '../../../../test/support/until.ts';
import { type Consumer, LogUnavailableError, type Position } from '../event-log.ts';
import { KafkaEventLog } from './kafka-event-log.ts';
import { openTopics, waitUntilLed } from './topics.ts';

const PARTITIONS = 4;
/** After which the broker forgets an idle publisher's transactional id; its default is seven days. */
const IDLE_MS_MAX = 1_000;

describeOwnKafka('KafkaEventLog under faults', () => {
  let folder: string;
  let kafka: KafkaCluster;
  let proxy: KafkaProxy;
  let log: KafkaEventLog;
  let topic: string;
  let topics = 0;
  const consumers: Consumer[] = [];
  const troubles: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'posture-kafka-faults-'));
    proxy = await KafkaProxy.listen();
    kafka = await startKafka({
      directory: folder,
      // Clients connect to the broker's advertised address, so it must name the proxy.
      settings: {
        'advertised.listeners': `PLAINTEXT://${proxy.address}`,
        'transactional.id.expiration.ms': `${IDLE_MS_MAX}`,
        'transaction.remove.expired.transaction.cleanup.interval.ms': `${IDLE_MS_MAX / 2}`,
      },
    });
    proxy.target = Number(kafka.brokers.split(':')[1]);
    log = new KafkaEventLog({
      brokers: [proxy.address],
      partitions: PARTITIONS,
      onTrouble: ({ message }) => troubles.push(message),
    });
  }, KAFKA_START_MS_MAX);
  afterAll(async () => {
    await log.close();
    await kafka.kill();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    topic = `posture.faults.${topics++}`;
    await openTopics({
      brokers: [proxy.address],
      partitions: PARTITIONS,
      topics: [{ name: topic, settings: { 'retention.ms': '-1' } }],
    });
    proxy.lostReplies = 0;
  });
  afterEach(async () => {
    proxy.losesReply = () => false;
    proxy.tearsReply = () => false;
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  });

  const record = (value: string, partition = 0) => ({
    key: `k${partition}`,
    value: Buffer.from(value),
    partition,
  });

  async function stored(partition = 0): Promise<string[]> {
    const texts: string[] = [];
    for await (const batch of log.read(topic, partition, 0, Number.MAX_SAFE_INTEGER)) {
      texts.push(...batch.map(({ value }) => value.toString()));
    }
    return texts;
  }

  async function follow(handler: RecordingHandler): Promise<Consumer> {
    const consumer = await log.consume(topic, 'faults', handler, { batchRecordsMax: 50 });
    consumers.push(consumer);
    return consumer;
  }

  /** Appends without a pause until it is stopped; returns the acknowledged records, in order, and the others. */
  function writeOn(writer: string, partition: number) {
    const acknowledged: { name: string; position: Position }[] = [];
    const refused: string[] = [];
    let isWriting = true;
    const writing = (async () => {
      for (let i = 0; isWriting; i++) {
        const name = `${writer}-${i}`;
        try {
          const [position] = await log.append(topic, [record(name, partition)]);
          acknowledged.push({ name, position: position! });
        } catch (error) {
          if (!(error instanceof LogUnavailableError)) throw error;
          refused.push(name);
        }
      }
    })();
    return {
      acknowledged,
      refused,
      stop: () => {
        isWriting = false;
        return writing;
      },
    };
  }

  /** Acknowledged records are at their offsets, once, in order; rejected ones at most once. */
  async function assertKept(partition: number, writers: ReturnType<typeof writeOn>[]): Promise<void> {
    const texts = await stored(partition);
    expect(new Set(texts).size).toBe(texts.length);
    for (const { acknowledged } of writers) {
      for (const { name, position } of acknowledged) expect(texts[position.offset]).toBe(name);
      const offsets = acknowledged.map(({ position }) => position.offset);
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    }
  }

  it('stores a record once whose reply was lost, and answers its true position', async () => {
    await log.append(topic, [record('before')]);
    proxy.losesReply = () => proxy.lostReplies < 1;
    expect(await log.append(topic, [record('a'), record('b')])).toEqual([
      { partition: 0, offset: 1 },
      { partition: 0, offset: 2 },
    ]);
    expect(proxy.lostReplies).toBe(1);
    await log.append(topic, [record('after')]);
    expect(await stored()).toEqual(['before', 'a', 'b', 'after']);
  });

  it('acknowledges nothing after the last retry, and stores the next records', async () => {
    proxy.losesReply = () => true;
    await expect(log.append(topic, [record('lost')])).rejects.toThrow(LogUnavailableError);
    expect(proxy.lostReplies).toBeGreaterThan(3);
    proxy.losesReply = () => false;
    const [next] = await log.append(topic, [record('next')]);
    expect(await stored()).toEqual(['lost', 'next']);
    expect(next).toEqual({ partition: 0, offset: 1 });
  });

  it('rejects every call that waits behind a failed send', async () => {
    proxy.losesReply = () => true;
    const calls = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => log.append(topic, [record(`${i}`, i % 2)])),
    );
    expect(calls.map(({ status }) => status)).toEqual(new Array(20).fill('rejected'));
  });

  it('loses and doubles nothing that it acknowledged while replies are lost among concurrent appends', async () => {
    let replies = 0;
    // Sometimes one failure, sometimes for longer than the retries last.
    proxy.losesReply = () => {
      replies++;
      return replies % 5 === 0 || (replies > 60 && replies < 80);
    };
    const writers = [0, 1].map((partition) =>
      Array.from({ length: 4 }, (_, i) => writeOn(`p${partition}w${i}`, partition)),
    );
    await until('many appends', () => replies > 250);
    await Promise.all(writers.flat().map((writer) => writer.stop()));
    proxy.losesReply = () => false;
    for (const partition of [0, 1]) await assertKept(partition, writers[partition]!);
    expect(writers.flat().reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)).toBeGreaterThan(
      150,
    );
  });

  it('reports that a batch above the limit of the broker was not stored, and stores the next records', async () => {
    const small = `${topic}.small`;
    const configEntries = [{ name: 'max.message.bytes', value: '100000' }];
    await withAdmin(proxy.address, async (admin) => {
      const made = { topic: small, numPartitions: PARTITIONS, configEntries };
      await admin.createTopics({ topics: [made], waitForLeaders: false });
      await waitUntilLed(admin, [small]);
    });
    const large = { key: 'k', value: Buffer.alloc(200_000), partition: 0 };
    await log.append(small, [record('a')]);
    await expect(log.append(small, [large])).rejects.toThrow(LogUnavailableError);
    expect(await log.append(small, [record('c')])).toEqual([{ partition: 0, offset: 1 }]);
    expect((await log.ends(small))[0]).toBe(2);
  });

  it('rejects a record that no batch may hold, with all of its call', async () => {
    const large = { key: 'k', value: Buffer.alloc(5 * 1024 * 1024), partition: 0 };
    await expect(log.append(topic, [record('b'), large])).rejects.toThrow(RangeError);
    expect(await stored()).toEqual([]);
  });

  it('does not take a publisher for fenced that was idle for so long that the broker has forgotten it', async () => {
    let publisher = await log.publisher(topic, 0, 'idle');
    let failure: unknown;
    await until('the broker to forget', async () => {
      await setTimeout(3 * IDLE_MS_MAX);
      failure = await publisher.publish([record('a')]).then(
        () => undefined,
        (error: unknown) => error,
      );
      return failure !== undefined;
    });
    expect(failure).toBeInstanceOf(LogUnavailableError);
    await publisher.close();
    publisher = await log.publisher(topic, 0, 'idle');
    await publisher.publish([record('after')]);
    await publisher.close();
    await until('the record', async () => (await stored()).at(-1) === 'after');
  }, 60_000);

  it('loses nothing that it acknowledged when the broker is killed and restarts, under append and consume', async () => {
    const group = newGroup();
    const handler = new RecordingHandler(group);
    await follow(handler);
    const [node] = kafka.nodes;
    const writers = [0, 1, 2].map((partition) => writeOn(`w${partition}`, partition));
    const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    for (let round = 0; round < 2; round++) {
      const before = count();
      await until('appends under way', () => count() > before + 200);
      await node!.kill();
      const refusedBefore = writers.map(({ refused }) => refused.length);
      await until('refusals', () => writers.every(({ refused }, i) => refused.length > refusedBefore[i]!));
      await node!.start();
      const restarted = count();
      await until('appends again', () => count() > restarted + 200);
    }
    await Promise.all(writers.map((writer) => writer.stop()));
    for (const [partition, writer] of writers.entries()) {
      await assertKept(partition, [writer]);
      const texts = await stored(partition);
      await until('all records', () => handler.texts(partition).length >= texts.length);
      expect(handler.texts(partition)).toEqual(texts);
    }
    expect(handler.violations).toEqual([]);
  }, 90_000);

  it('asks where to continue when the broker has lost records that were read', async () => {
    const handler = new RecordingHandler();
    await follow(handler);
    for (const name of ['a', 'b']) await log.append(topic, [record(name)]);
    const kept = await bytesOfPartition(folder, topic, 0);
    for (const name of ['c', 'd', 'e', 'f']) await log.append(topic, [record(name)]);
    await until('all records', () => handler.texts(0).length === 6);
    const [node] = kafka.nodes;
    await node!.kill();
    await cutPartition(folder, topic, 0, kept);
    handler.positions.set(0, 2);
    await node!.start();
    await until('an append', () =>
      log.append(topic, [record('after')]).then(
        () => true,
        () => false,
      ),
    );
    await until('the record after', () => handler.texts(0).includes('after'));
    expect(await stored()).toEqual(['a', 'b', 'after']);
    expect(handler.violations).toEqual([]);
  }, 90_000);

  it('resumes when connections are cut repeatedly', async () => {
    const handler = new RecordingHandler();
    await follow(handler);
    const writer = writeOn('w', 0);
    for (let round = 1; round <= 5; round++) {
      await until('appends under way', () => writer.acknowledged.length > 50 * round);
      proxy.cut();
    }
    await writer.stop();
    await assertKept(0, [writer]);
    const texts = await stored();
    await until('all records', () => handler.records.length >= texts.length);
    expect(handler.texts(0)).toEqual(texts);
    expect(handler.violations).toEqual([]);
  }, 60_000);

  it('reads and appends after connections that broke within a reply', async () => {
    const handler = new RecordingHandler();
    await follow(handler);
    await log.append(topic, [record('before')]);
    await until('the record before', () => handler.records.length === 1);
    const torn: number[] = [];
    const tearOnce = (bytesMin: number) => {
      const before = torn.length;
      proxy.tearsReply = (bytes) => torn.length === before && bytes >= bytesMin && torn.push(bytes) > before;
    };
    const large = 'x'.repeat(5_000);
    tearOnce(large.length);
    await log.append(topic, [record(large)]);
    await until('the torn record', () => handler.records.length === 2);
    tearOnce(0);
    await log.append(topic, [record('after')]);
    await until('the record after', () => handler.texts(0).includes('after'));
    expect(handler.texts(0)).toEqual(['before', large, 'after']);
    expect(torn).toHaveLength(2);
    expect(handler.violations).toEqual([]);
  }, 60_000);

  it('opens new connections where no reply comes any more', async () => {
    const handler = new RecordingHandler();
    await follow(handler);
    await log.append(topic, [record('before')]);
    await until('the record before', () => handler.records.length === 1);
    proxy.strand();
    await until('an append', () =>
      log.append(topic, [record('after')]).then(
        () => true,
        () => false,
      ),
    );
    await until('the record after', () => handler.texts(0).includes('after'));
    expect(await stored()).toEqual(['before', 'after']);
  }, 120_000);

  it('releases its partitions when it was disconnected for as long as its session, and joins again', async () => {
    const handler = new RecordingHandler();
    const consumer = await follow(handler);
    await log.append(topic, [record('before')]);
    await until('the record before', () => handler.records.length === 1);
    proxy.freeze();
    await until('nothing is held', () => consumer.assignment.length === 0, 45_000);
    expect(troubles).toEqual(
      expect.arrayContaining([expect.stringContaining(`group faults of ${topic} was left`)]),
    );
    proxy.thaw();
    proxy.cut();
    await until('all is held again', () => consumer.assignment.length === PARTITIONS, 30_000);
    await log.append(topic, [record('after')]);
    await until('the record after', () => handler.texts(0).includes('after'));
    expect(handler.texts(0)).toEqual(['before', 'after']);
    expect(handler.violations).toEqual([]);
  }, 90_000);
});
