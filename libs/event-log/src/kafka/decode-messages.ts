import type { FetchedMessages } from './committed-records.ts';
import { crc32c } from './crc32c.ts';

/** What is used of kafkajs' `Decoder`: a place in bytes. */
export interface PlaceInBytes {
  buffer: Buffer;
  offset: number;
  readInt32(): number;
  readBytes(length: number): Buffer;
}

export type MessagesDecoder = (place: PlaceInBytes) => Promise<FetchedMessages>;

/** A batch of records begins with its first offset, and the length of what follows the length. */
const LENGTH_AT = 8;
const LENGTH_ENDS_AT = 12;
const MAGIC_AT = 16;
const CHECKSUM_AT = 17;
/** The checksum is that of the rest. */
const CHECKED_FROM = 21;
/** Of a batch without records. */
const BATCH_BYTES_MIN = 61;
/** Brokers before 4.0 can have older formats. */
const MAGIC = 2;

/**
 * The messages of one partition in an answer, as kafkajs decodes them, with two differences: each batch must match its
 * checksum, which kafkajs does not compare, and any number of records is read. What cannot be read ends the messages with
 * `damage`, so that it concerns no other partition.
 * @param original of kafkajs, for the older formats
 */
export const messagesDecoder =
  (
    original: MessagesDecoder,
    decodeBatch: (place: PlaceInBytes) => Promise<{ records: FetchedMessages }>,
    placeIn: (bytes: Buffer) => PlaceInBytes,
  ): MessagesDecoder =>
  async (place) => {
    const begin = place.offset;
    const size = place.readInt32();
    if (size <= 0) return [];
    const bytes = place.readBytes(size);
    if (size > MAGIC_AT && bytes[MAGIC_AT] !== MAGIC) {
      place.offset = begin;
      return original(place);
    }
    const messages: FetchedMessages = [];
    try {
      for (const batch of batchesIn(bytes)) {
        const { records } = await decodeBatch(placeIn(batch));
        // One by one: a batch can have more records than a call arguments.
        for (const record of records) messages.push(record);
      }
    } catch (error) {
      messages.damage = error as Error;
    }
    return messages;
  };

/** The whole batches: the last one can be cut where the bounds of the fetch are. */
function* batchesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + BATCH_BYTES_MIN <= bytes.length; ) {
    const length = LENGTH_ENDS_AT + bytes.readInt32BE(at + LENGTH_AT);
    if (length < BATCH_BYTES_MIN) throw damaged(bytes, at, `has the length ${length}`);
    if (at + length > bytes.length) return;
    const batch = bytes.subarray(at, at + length);
    if (crc32c(batch.subarray(CHECKED_FROM)) !== batch.readUInt32BE(CHECKSUM_AT)) {
      throw damaged(bytes, at, 'does not match its checksum');
    }
    yield batch;
    at += length;
  }
}

const damaged = (bytes: Buffer, at: number, how: string): Error =>
  new Error(
    `the batch at offset ${bytes.readBigInt64BE(at)} ${how}: a disk of the broker or the network has changed it. Let ` +
      'another replica lead the partition, or restore the topic',
  );
