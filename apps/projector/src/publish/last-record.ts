import type { EventLog, StoredRecord } from '#libs/event-log';

/** Transactions leave a mark behind their last record, so mostly the second offset from the end holds it. */
const FIRST_STEP = 2;

/** The last record of a partition; null where it holds none. Ends of transactions may lie behind it. */
export async function lastRecord(
  log: EventLog,
  topic: string,
  partition: number,
): Promise<StoredRecord | null> {
  let to = (await log.ends(topic))[partition]!;
  for (let step = FIRST_STEP; to > 0; step *= 8) {
    const from = Math.max(0, to - step);
    let last: StoredRecord | undefined;
    for await (const records of log.read(topic, partition, from, to)) last = records.at(-1);
    if (last) return last;
    to = from;
  }
  return null;
}
