import type pg from 'pg';
import type { LogRecord, Position } from '../event-log.ts';

/** Called for every append, with the topic, when it is committed. */
export const NOTIFY_CHANNEL = 'posture_log';

export interface PlacedRecord extends LogRecord {
  partition: number;
}

/** Limits of one statement; a larger record has its own. */
const STATEMENT_BYTES_MAX = 4 * 1024 * 1024;
const STATEMENT_RECORDS_MAX = 5_000;

/**
 * Offsets are handed out by the rows of `log_ends`, taken in the order of partitions: gap-free, and without deadlock
 * between processes. The values travel as one binary parameter; an array would send each byte as two.
 */
const APPEND = `
  with ends as (
    insert into log_ends as held (topic, partition, next_offset)
    select $1, partition, record_count
    from unnest($2::int[], $3::bigint[]) as given (partition, record_count)
    order by partition
    on conflict (topic, partition) do update set next_offset = held.next_offset + excluded.next_offset
    returning partition, next_offset
  ), stored as (
    insert into log_records (topic, partition, "offset", key, headers, value)
    select $1, partition, next_offset - before_end, key, headers::jsonb, substring($9::bytea from start for length)
    from unnest($4::int[], $5::bigint[], $6::text[], $7::text[], $8::int[], $10::int[])
           as given (partition, before_end, key, headers, start, length)
    join ends using (partition)
  )
  select partition, next_offset, pg_notify('${NOTIFY_CHANNEL}', $1) from ends`;

const LOCK_ENDS = `
  insert into log_ends as held (topic, partition, next_offset)
  select $1, partition, 0 from unnest($2::int[]) as given (partition) order by partition
  on conflict (topic, partition) do update set next_offset = held.next_offset`;

export const bytesOf = ({ key, value, headers }: LogRecord): number =>
  value.length + key.length + (headers ? JSON.stringify(headers).length : 0);

/** A connection, or a pool if one statement is enough. */
export type Connection = Pick<pg.ClientBase, 'query'>;

/** Appends and answers the positions in the order given; several statements only if `fitsOneStatement` denies. */
export async function appendRecords(
  client: Connection,
  topic: string,
  records: PlacedRecord[],
): Promise<Position[]> {
  if (fitsOneStatement(records)) return appendChunk(client, topic, records);
  // All rows that the chunks will need, so that their order is kept over the chunks too.
  await client.query(LOCK_ENDS, [topic, partitionsOf(records)]);
  const positions: Position[] = [];
  for (const chunk of chunksOf(records)) positions.push(...(await appendChunk(client, topic, chunk)));
  return positions;
}

/** Whether the records fit into a single statement, which needs no transaction. */
export const fitsOneStatement = (records: PlacedRecord[]): boolean =>
  records.length <= STATEMENT_RECORDS_MAX &&
  records.reduce((bytes, { value }) => bytes + value.length, 0) <= STATEMENT_BYTES_MAX;

const partitionsOf = (records: PlacedRecord[]): number[] => [
  ...new Set(records.map(({ partition }) => partition).sort((a, b) => a - b)),
];

function chunksOf(records: PlacedRecord[]): PlacedRecord[][] {
  const chunks: PlacedRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    bytes += record.value.length;
    if (bytes > STATEMENT_BYTES_MAX || chunks.at(-1)!.length === STATEMENT_RECORDS_MAX) {
      chunks.push([]);
      bytes = record.value.length;
    }
    chunks.at(-1)!.push(record);
  }
  return chunks;
}

async function appendChunk(client: Connection, topic: string, records: PlacedRecord[]): Promise<Position[]> {
  const counts = new Map<number, number>();
  const indexes = records.map(({ partition }) => {
    const index = counts.get(partition) ?? 0;
    counts.set(partition, index + 1);
    return index;
  });
  let start = 1;
  const starts = records.map(({ value }) => {
    const at = start;
    start += value.length;
    return at;
  });
  const { rows } = await client.query({
    name: 'append',
    text: APPEND,
    values: [
      topic,
      [...counts.keys()],
      [...counts.values()],
      records.map(({ partition }) => partition),
      records.map(({ partition }, i) => counts.get(partition)! - indexes[i]!),
      records.map(({ key }) => key),
      records.map(({ headers }) => (headers ? JSON.stringify(headers) : null)),
      starts,
      Buffer.concat(records.map(({ value }) => value)),
      records.map(({ value }) => value.length),
    ],
  });
  const firsts = new Map<number, number>(
    rows.map(({ partition, next_offset }) => [partition, next_offset - counts.get(partition)!]),
  );
  return records.map(({ partition }, i) => ({ partition, offset: firsts.get(partition)! + indexes[i]! }));
}
