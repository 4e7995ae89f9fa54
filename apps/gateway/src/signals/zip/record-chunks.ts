import { type EncodableEvent, encodeIntake } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';

/** Records on their way from a worker to the log: their values follow one another in `bytes`. */
export interface RecordChunk {
  keys: string[];
  /** The end of each value. */
  ends: number[];
  /** Owns its memory, so that it can be transferred. */
  bytes: Uint8Array;
}

/** So much is in progress at a time; one event may be larger. Each chunk costs the log a batch for every partition. */
export const CHUNK_BYTES_MAX = 3 * 1024 * 1024;

/** Encodes events, in order, into chunks of about 3 MB. */
export function* recordChunks(events: Iterable<EncodableEvent>): Generator<RecordChunk> {
  let keys: string[] = [];
  let values: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    const value = encodeIntake(event);
    if (values.length > 0 && bytes + value.length > CHUNK_BYTES_MAX) {
      yield pack(keys, values, bytes);
      keys = [];
      values = [];
      bytes = 0;
    }
    keys.push(event.envelope.entityKey);
    values.push(value);
    bytes += value.length;
  }
  if (values.length > 0) yield pack(keys, values, bytes);
}

function pack(keys: string[], values: Buffer[], size: number): RecordChunk {
  const bytes = new Uint8Array(size);
  let end = 0;
  const ends = values.map((value) => {
    bytes.set(value, end);
    end += value.length;
    return end;
  });
  return { keys, ends, bytes };
}

/** The chunk as the log takes it; the values share its memory. */
export function recordsOf({ keys, ends, bytes }: RecordChunk): LogRecord[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return keys.map((key, index) => ({ key, value: all.subarray(ends[index - 1] ?? 0, ends[index]) }));
}
