import { type EventLog, RecordsGoneError, type StoredRecord } from '#libs/event-log';

/** Transactions leave a marker after their last record, so it is mostly at the second offset from the end. */
const FIRST_STEP = 2;

/**
 * The last record of a partition; null if it is empty. Ends of transactions may be after it, and records
 * before it may be removed.
 */
export async function lastRecord(
  log: EventLog,
  topic: string,
  partition: number,
): Promise<StoredRecord | null> {
  const read = (from: number, to: number) => lastOf(log.read(topic, partition, from, to));
  let to = (await log.ends(topic))[partition]!;
  for (let step = FIRST_STEP; to > 0; step *= 8) {
    const from = Math.max(0, to - step);
    const last = await read(from, to);
    if (last === 'gone') return lastBetween(read, from, to);
    if (last) return last;
    to = from;
  }
  return null;
}

type Reading = StoredRecord | 'gone' | null;

async function lastOf(batches: AsyncIterable<StoredRecord[]>): Promise<Reading> {
  let last: StoredRecord | null = null;
  try {
    for await (const records of batches) last = records.at(-1)!;
    return last;
  } catch (error) {
    if (error instanceof RecordsGoneError) return 'gone';
    throw error;
  }
}

/** The log begins after `gone`, and is empty from `empty` on. */
async function lastBetween(
  read: (from: number, to: number) => Promise<Reading>,
  gone: number,
  empty: number,
): Promise<StoredRecord | null> {
  if (empty - gone <= 1) return null;
  const middle = Math.floor((gone + empty) / 2);
  const last = await read(middle, empty);
  if (last === 'gone') return lastBetween(read, middle, empty);
  return last ?? lastBetween(read, gone, middle);
}
