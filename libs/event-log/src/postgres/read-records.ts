import type { BatchBounds } from '../delivery/batch-bounds.ts';
import type { StoredRecord } from '../event-log.ts';
import type { Connection } from './append-records.ts';

/** Part of a partition: offsets of [from, to). */
export interface Range {
  topic: string;
  partition: number;
  from: number;
  to: number;
}

/** Computes sizes without reading the values. A first record above the bound is returned alone. */
const READ = `
  select "offset", key, headers, value, stored_at from (
    select *, sum(octet_length(value)) over (order by "offset") as bytes, row_number() over (order by "offset") as place
    from (
      select "offset", key, headers, value, stored_at from log_records
      where topic = $1 and partition = $2 and "offset" >= $3 and "offset" < $4
      order by "offset" limit $5
    ) as candidates
  ) as measured
  where bytes <= $6 or place = 1
  order by "offset"`;

/** The first records of a range in offset order, within the bounds; empty only if the range has none. */
export async function readRecords(
  connection: Connection,
  { topic, partition, from, to }: Range,
  { recordsMax, bytesMax }: BatchBounds,
): Promise<StoredRecord[]> {
  const { rows } = await connection.query({
    name: 'read',
    text: READ,
    values: [topic, partition, from, to, recordsMax, bytesMax],
  });
  return rows.map((row) => ({
    partition,
    offset: row.offset,
    key: row.key,
    value: row.value,
    headers: row.headers ?? {},
    storedAt: row.stored_at,
  }));
}

/** First offset of a partition; its end if it is empty. */
export async function readStart(connection: Connection, topic: string, partition: number): Promise<number> {
  const { rows } = await connection.query({
    name: 'start',
    text: `
      select coalesce(
        (select min("offset") from log_records where topic = $1 and partition = $2),
        (select next_offset from log_ends where topic = $1 and partition = $2),
        0
      ) as start`,
    values: [topic, partition],
  });
  return rows[0].start;
}

/** Next offset of each partition that was ever written. */
export async function readEnds(connection: Connection, topic: string): Promise<Map<number, number>> {
  const { rows } = await connection.query({
    name: 'ends',
    text: 'select partition, next_offset from log_ends where topic = $1',
    values: [topic],
  });
  return new Map(rows.map(({ partition, next_offset }) => [partition, next_offset]));
}
