// The bare program's second half: consumes a topic with kafkajs' own consumer and writes the rows.
import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import pg from 'pg';
import { readEvent } from './read-event.ts';
import { readSignal } from './read-signal.ts';
import { type PlacedFinding, RowWriter } from './row-writer.ts';

/** More than the number of cores, so that PostgreSQL works while this process decodes. */
const PARTITIONS_AT_ONCE = 4;
const RECORDS_AT_ONCE = 1_000;
const WAIT_MS_MAX = 100;

const { BENCH_BROKERS, BENCH_DATABASE, BENCH_TOPIC, BENCH_RECORDS } = process.env;
const read = BENCH_RECORDS === 'events' ? readEvent : readSignal;

const pool = new pg.Pool({ connectionString: BENCH_DATABASE!, max: PARTITIONS_AT_ONCE });
const writer = new RowWriter(pool);
const kafka = new kafkajs.Kafka({ brokers: [BENCH_BROKERS!], logLevel: kafkajs.logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `bench-${randomUUID()}`, maxWaitTimeInMs: WAIT_MS_MAX });

process.on('SIGINT', () => {
  void consumer
    .disconnect()
    .then(() => pool.end())
    .then(() => process.exit(0));
});

consumer.on(consumer.events.CRASH, ({ payload }) => {
  console.error(payload.error);
  process.exit(1);
});
consumer.on(consumer.events.GROUP_JOIN, () => console.log('Writer ready'));
await consumer.connect();
await consumer.subscribe({ topics: [BENCH_TOPIC!], fromBeginning: true });
await consumer.run({
  autoCommit: false,
  partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
  eachBatch: async ({ batch: { partition, messages }, heartbeat }) => {
    for (let from = 0; from < messages.length; from += RECORDS_AT_ONCE) {
      const records = messages.slice(from, from + RECORDS_AT_ONCE);
      const placed = records.flatMap(({ value, offset }): PlacedFinding[] => {
        const finding = read(value!);
        return finding ? [{ finding, offset: Number(offset) }] : [];
      });
      await writer.write(partition, placed, Number(records.at(-1)!.offset) + 1);
      await heartbeat();
    }
  },
});
