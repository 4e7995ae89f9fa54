// The bare counterpart of a replay: reads a log of new findings to its end and writes their rows by COPY.
import pg from 'pg';
import { CopyWriter } from './copy-writer.ts';
import { readEvent } from './read-event.ts';
import { type LogEntry, readKafka, readPostgres } from './read-log.ts';
import type { PlacedFinding } from './row-writer.ts';

/** More than the number of cores, so that PostgreSQL works while this process decodes. */
const PARTITIONS_AT_ONCE = 4;

const { BENCH_BROKERS, BENCH_LOG_DATABASE, BENCH_DATABASE, BENCH_TOPIC: topic = '' } = process.env;

const pool = new pg.Pool({
  connectionString: BENCH_DATABASE!,
  max: PARTITIONS_AT_ONCE,
  // Commits need not wait for the disk, because the copy can be repeated.
  options: '-c synchronous_commit=off',
});
const writer = new CopyWriter(pool);

const write = async (partition: number, entries: LogEntry[]): Promise<void> => {
  const placed = entries.flatMap(({ value, offset }): PlacedFinding[] => {
    const finding = readEvent(value);
    return finding ? [{ finding, offset }] : [];
  });
  await writer.write(partition, placed, entries.at(-1)!.offset + 1);
};

if (BENCH_BROKERS) await readKafka(BENCH_BROKERS, topic, PARTITIONS_AT_ONCE, write);
else await readPostgres(BENCH_LOG_DATABASE!, topic, PARTITIONS_AT_ONCE, write);
await pool.end();
