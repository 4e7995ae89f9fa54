import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import pLimit from 'p-limit';
import pg from 'pg';

export interface LogEntry {
  offset: number;
  value: Buffer;
}

/** Receives one or more entries of a partition, in order. */
type Take = (partition: number, entries: LogEntry[]) => Promise<void>;

const WAIT_MS_MAX = 100;
const ENTRIES_AT_ONCE = 1_000;

/** Reads a topic up to its current end, several partitions in parallel. */
export async function readKafka(broker: string, topic: string, atOnce: number, take: Take): Promise<void> {
  const kafka = new kafkajs.Kafka({ brokers: [broker], logLevel: kafkajs.logLevel.ERROR });
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  const unread = new Map(offsets.map(({ partition, offset }) => [partition, Number(offset)]));
  for (const [partition, end] of unread) if (end === 0) unread.delete(partition);
  const consumer = kafka.consumer({ groupId: `bench-${randomUUID()}`, maxWaitTimeInMs: WAIT_MS_MAX });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    const running = consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: atOnce,
      eachBatch: async ({ batch: { partition, messages }, heartbeat }) => {
        const entries = messages.map(({ offset, value }) => ({ offset: Number(offset), value: value! }));
        await take(partition, entries);
        await heartbeat();
        if (entries.at(-1)!.offset + 1 >= unread.get(partition)!) unread.delete(partition);
        if (unread.size === 0) resolve();
      },
    });
    running.catch(reject);
  });
  await Promise.all([consumer.disconnect(), admin.disconnect()]);
}

/** Reads a topic of the log in a database up to its current end, several partitions in parallel. */
export async function readPostgres(url: string, topic: string, atOnce: number, take: Take): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: atOnce });
  const { rows: ends } = await pool.query('select partition, next_offset from log_ends where topic = $1', [
    topic,
  ]);
  const slots = pLimit(atOnce);
  const readPartition = async (partition: number, end: number) => {
    for (let next = 0; next < end; ) {
      const { rows } = await pool.query({
        name: 'read',
        text: `select "offset"::float8, value from log_records
                where topic = $1 and partition = $2 and "offset" >= $3 order by "offset" limit ${ENTRIES_AT_ONCE}`,
        values: [topic, partition, next],
      });
      await take(partition, rows);
      next = rows.at(-1).offset + 1;
    }
  };
  await Promise.all(
    ends.map(({ partition, next_offset }) => slots(() => readPartition(partition, Number(next_offset)))),
  );
  await pool.end();
}
