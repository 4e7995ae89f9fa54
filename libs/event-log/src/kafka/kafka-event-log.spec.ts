import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { describeEventLog } from '../../../../test/contracts/event-log.ts';
import { kafkaFixture, withAdmin } from '../../../../test/fixtures/event-log/kafka-fixture.ts';
import { newGroup, RecordingHandler } from '../../../../test/fixtures/event-log/recording-handler.ts';
import { describeKafka } from '../../../../test/support/kafka.ts';
import { until } from '../../../../test/support/until.ts';
import { type Consumer, LogUnavailableError } from '../event-log.ts';
import { connectKafka } from './connect-kafka.ts';
import { KafkaEventLog } from './kafka-event-log.ts';
import { openTopics } from './topics.ts';

const PARTITIONS = 4;

describeKafka('Apache Kafka', (brokers) => {
  describeEventLog('Kafka', kafkaFixture(brokers));

  describe('KafkaEventLog', () => {
    const logs: KafkaEventLog[] = [];
    const consumers: Consumer[] = [];
    const closing: (() => Promise<void>)[] = [];
    const troubles: string[] = [];
    let log: KafkaEventLog;
    let topic: string;
    const openLog = (options: Partial<ConstructorParameters<typeof KafkaEventLog>[0]> = {}) => {
      const opened = new KafkaEventLog({
        brokers: [brokers()],
        partitions: PARTITIONS,
        onTrouble: ({ message }) => troubles.push(message),
        ...options,
      });
      logs.push(opened);
      return opened;
    };
    beforeAll(() => {
      log = openLog();
    });
    beforeEach(async () => {
      topic = `posture.kafka.${randomUUID()}`;
      await openTopics({
        brokers: [brokers()],
        partitions: PARTITIONS,
        topics: [{ name: topic, settings: { 'retention.ms': '-1' } }],
      });
    });
    afterEach(async () => {
      await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
      await Promise.all(closing.splice(0).map((close) => close()));
    });
    afterAll(() => Promise.all(logs.map((opened) => opened.close())));

    const record = (value: string, partition = 0) => ({ key: 'k', value: Buffer.from(value), partition });

    async function join(on: KafkaEventLog, handler: RecordingHandler): Promise<Consumer> {
      const consumer = await on.consume(topic, 'rebalance', handler, { batchRecordsMax: 20 });
      consumers.push(consumer);
      return consumer;
    }

    it('reads a topic after another one that it had read was deleted', async () => {
      const other = `${topic}.other`;
      await openTopics({
        brokers: [brokers()],
        partitions: PARTITIONS,
        topics: [{ name: other, settings: { 'retention.ms': '-1' } }],
      });
      const reading = openLog();
      await reading.ends(topic);
      await reading.ends(other);
      await withAdmin(brokers(), (admin) => admin.deleteTopics({ topics: [other] }));
      const now = Date.now;
      // What is known of topics is too old then.
      const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 60_000);
      try {
        await expect(reading.ends(topic)).resolves.toHaveLength(PARTITIONS);
      } finally {
        later.mockRestore();
      }
    });

    it('loses and repeats nothing when a member joins, leaves and joins again under load', async () => {
      const group = newGroup();
      const handlers = [1, 2, 3].map(() => new RecordingHandler(group));
      const other = openLog();
      let isWriting = true;
      let appended = 0;
      const writing = (async () => {
        while (isWriting) {
          await log.append(
            topic,
            [0, 1, 2, 3].map((partition) => record(`${appended}`, partition)),
          );
          appended += PARTITIONS;
        }
      })();
      const staying = await join(log, handlers[0]!);
      for (const handler of handlers.slice(1)) {
        const coming = await join(other, handler);
        await until('a share each', () => coming.assignment.length === 2 && staying.assignment.length === 2);
        await until('its records', () => handler.records.length > 100);
        await coming.stop();
        await until('all with the one that stayed', () => staying.assignment.length === PARTITIONS);
      }
      isWriting = false;
      await writing;
      const delivered = () => handlers.reduce((sum, { records }) => sum + records.length, 0);
      await until('all records', () => delivered() >= appended);
      const seen = handlers.flatMap(({ records }) =>
        records.map(({ partition, offset }) => `${partition}:${offset}`),
      );
      expect(new Set(seen).size).toBe(appended);
      expect(seen).toHaveLength(appended);
      expect(handlers.flatMap(({ violations }) => violations)).toEqual([]);
      expect(troubles).toEqual([]);
    }, 60_000);

    it('commits the progress of its handlers to Kafka, for lag tools', async () => {
      await log.append(topic, [record('a'), record('b'), record('c', 1)]);
      const committed = () =>
        withAdmin(brokers(), async (admin) => {
          const [offsets] = await admin.fetchOffsets({ groupId: 'rebalance', topics: [topic] });
          return offsets!.partitions.map(({ partition, offset }) => [partition, offset]).sort();
        });
      const handler = new RecordingHandler();
      const consumer = await join(log, handler);
      const first = [
        [0, '2'],
        [1, '1'],
        [2, '0'],
        [3, '0'],
      ];
      await until('the commit', async () => isDeepStrictEqual(await committed(), first));
      await log.append(topic, [record('d', 2)]);
      await until('the record', () => handler.texts(2).length === 1);
      await consumer.stop();
      expect(await committed()).toEqual([...first.slice(0, 2), [2, '1'], first[3]]);
    });

    it('skips markers of transactions, and never returns uncommitted records', async () => {
      const zombie = connectKafka({ brokers: [brokers()] }).producer({
        idempotent: true,
        maxInFlightRequests: 1,
        transactionalId: `${topic}-0-outbox`,
      });
      await zombie.connect();
      closing.push(() => zombie.disconnect());
      const open = await zombie.transaction();
      await open.send({ topic, messages: [record('never')] });
      expect(await log.ends(topic)).toEqual([0, 0, 0, 0]);
      // A new owner of the name ends an open transaction.
      const publisher = await log.publisher(topic, 0, 'outbox');
      await publisher.publish([record('1')]);
      await publisher.publish([record('2'), record('3')]);
      const handler = new RecordingHandler();
      await join(log, handler);
      await until('the records', () => handler.records.length === 3);
      expect(handler.texts(0)).toEqual(['1', '2', '3']);
      // Seen by the consumer, so committed.
      const texts: string[] = [];
      for await (const batch of log.read(topic, 0, 0, Number.MAX_SAFE_INTEGER)) {
        texts.push(...batch.map(({ value }) => value.toString()));
      }
      expect(texts).toEqual(['1', '2', '3']);
    });

    it('publishes more than a batch can contain, all or nothing', async () => {
      const publisher = await log.publisher(topic, 2, 'large');
      const values = Array.from({ length: 9 }, (_, i) => ({
        key: `${i}`,
        value: Buffer.alloc(1024 * 1024, i),
      }));
      const positions = await publisher.publish(values);
      expect(positions.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      await until('the commit', async () => (await log.ends(topic))[2]! >= 9);
      const sizes: number[] = [];
      for await (const batch of log.read(topic, 2, 0, 9)) sizes.push(...batch.map(({ value }) => value[0]!));
      expect(sizes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    });

    it('names a record that is too large to be published, and continues', async () => {
      const publisher = await log.publisher(topic, 2, 'outbox');
      const large = { key: 'finding 1', value: Buffer.alloc(5 * 1024 * 1024) };
      const failure = await publisher.publish([record('0', 2), large]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RangeError);
      expect(failure).toMatchObject({ message: expect.stringContaining('finding 1') });
      expect(await publisher.publish([record('1', 2)])).toEqual([{ partition: 2, offset: 0 }]);
    });

    it('reads records that it wrote with gzip', async () => {
      const zipping = openLog({ compression: 'gzip' });
      const value = Buffer.from('x'.repeat(100_000));
      await zipping.append(topic, [{ key: 'k', value, partition: 0 }]);
      for await (const [stored] of log.read(topic, 0, 0, 1)) expect(stored!.value.equals(value)).toBe(true);
    });

    it('combines appends of many callers into few batches, and bounds the waiting records', async () => {
      await Promise.all(Array.from({ length: 500 }, (_, i) => log.append(topic, [record(`${i}`)])));
      const times = new Set<number>();
      for await (const batch of log.read(topic, 0, 0, 500))
        for (const { storedAt } of batch) times.add(storedAt);
      // The broker stamps each batch once.
      expect(times.size).toBeLessThan(20);
      const megabytes = Array.from({ length: 60 }, () => ({
        ...record(''),
        value: Buffer.alloc(1024 * 1024),
      }));
      const calls = await Promise.allSettled([log.append(topic, megabytes), log.append(topic, megabytes)]);
      expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect((calls[1] as PromiseRejectedResult).reason).toBeInstanceOf(LogUnavailableError);
    });

    it('reports permanent errors: a missing topic, and a log that begins at a wrong offset', async () => {
      await expect(log.append('posture.absent', [record('a')])).rejects.toThrow(LogUnavailableError);
      await expect(log.ends('posture.absent')).rejects.toThrow(LogUnavailableError);
      await log.append(topic, [record('a'), record('b'), record('c')]);
      await withAdmin(brokers(), async (admin) => {
        // kafkajs deletes only from topics whose leaders it knows.
        await admin.fetchTopicOffsets(topic);
        await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '2' }] });
      });
      const missing = 'records are missing from the log';
      await expect(log.read(topic, 0, 0, 3)[Symbol.asyncIterator]().next()).rejects.toThrow(missing);
      const failures: string[] = [];
      const handler = new RecordingHandler();
      const consumer = await log.consume(topic, 'gone', handler, {
        onPartitionFailed: (partition, { message }) => failures.push(`${partition}: ${message}`),
      });
      consumers.push(consumer);
      await until('the failure', () => failures.length > 0);
      expect(failures).toEqual([expect.stringContaining(`0: ${missing}`)]);
      await log.append(topic, [record('d', 1)]);
      await until('the other partitions', () => handler.texts(1).length === 1);
    });
  });

  it('reports that it cannot append to, read from or follow absent brokers', async () => {
    const absent = new KafkaEventLog({ brokers: ['127.0.0.1:1'], partitions: 2 });
    await expect(absent.append('t', [{ key: '', value: Buffer.alloc(1) }])).rejects.toThrow(
      LogUnavailableError,
    );
    await expect(absent.ends('t')).rejects.toThrow(LogUnavailableError);
    await expect(absent.consume('t', 'g', new RecordingHandler())).rejects.toThrow(LogUnavailableError);
    await expect(absent.publisher('t', 0, 'n')).rejects.toThrow(LogUnavailableError);
    await expect(openTopics({ brokers: ['127.0.0.1:1'], partitions: 2 })).rejects.toThrow(
      LogUnavailableError,
    );
    await absent.close();
  });
});
