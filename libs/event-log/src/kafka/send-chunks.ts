import type { LogRecord } from '../event-log.ts';
import { SEND_BYTES_MAX, SEND_RECORDS_MAX } from './limits.ts';
import { type Sender, type SendSettings, sendBatch } from './send-batch.ts';
import { batchBytesOf, toMessage } from './to-message.ts';

/** How many of the weights, from an index on, go together within the bounds of one `send`; at least one. */
export function fittingCount(bytesOf: (index: number) => number, from: number, length: number): number {
  let bytes = 0;
  let count = 0;
  while (from + count < length && count < SEND_RECORDS_MAX) {
    bytes += bytesOf(from + count);
    if (count > 0 && bytes > SEND_BYTES_MAX) break;
    count++;
  }
  return count;
}

/** Sends records of one partition in as many batches as it takes, one after the other; answers their offsets. */
export async function sendChunks(
  sender: Sender,
  topic: string,
  partition: number,
  records: LogRecord[],
  settings: SendSettings,
): Promise<number[]> {
  const offsets: number[] = [];
  while (offsets.length < records.length) {
    const from = offsets.length;
    const count = fittingCount((index) => batchBytesOf(records[index]!), from, records.length);
    const messages = records.slice(from, from + count).map((record) => toMessage(record, partition));
    const base = await sendBatch(sender, topic, partition, messages, settings);
    for (let index = 0; index < count; index++) offsets.push(base + index);
  }
  return offsets;
}
