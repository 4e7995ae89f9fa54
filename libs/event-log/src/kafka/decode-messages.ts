import { LogDamagedError } from '../event-log.ts';
import type { FetchedMessages } from './committed-records.ts';
import { crc32c } from './crc32c.ts';

/** What is used of kafkajs' `Decoder`: a place in bytes. */
export interface PlaceInBytes {
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
/** The format of all batches since Kafka 0.11. */
const MAGIC = 2;

/**
 * The messages of one partition in an answer, as kafkajs decodes them, with two differences: each batch must match its
 * checksum, which kafkajs does not compare, and any number of records is read. What cannot be read ends the messages with
 * `damage`, so that it concerns no other partition.
 */
export const messagesDecoder =
  (
    decodeBatch: (place: PlaceInBytes) => Promise<{ records: FetchedMessages }>,
    placeIn: (bytes: Buffer) => PlaceInBytes,
  ): MessagesDecoder =>
  async (place) => {
    const size = place.readInt32();
    const messages: FetchedMessages = [];
    if (size <= 0) return messages;
    try {
      for (const batch of batchesIn(place.readBytes(size))) {
        const { records } = await decodeBatch(placeIn(batch)).catch((error: Error) => {
          throw damaged(batch, `cannot be read: ${error.message}`);
        });
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
    const rest = bytes.subarray(at);
    const length = LENGTH_ENDS_AT + rest.readInt32BE(LENGTH_AT);
    if (rest[MAGIC_AT] !== MAGIC) throw damaged(rest, `has the unknown format ${rest[MAGIC_AT]}`);
    if (length < BATCH_BYTES_MIN) throw damaged(rest, `has the length ${length}`);
    if (length > rest.length) return;
    const batch = rest.subarray(0, length);
    if (crc32c(batch.subarray(CHECKED_FROM)) !== batch.readUInt32BE(CHECKSUM_AT)) {
      throw damaged(batch, 'does not match its checksum');
    }
    yield batch;
    at += length;
  }
}

const damaged = (batch: Buffer, how: string): LogDamagedError =>
  new LogDamagedError(
    `the batch at offset ${batch.readBigInt64BE(0)} ${how}. If a disk of the broker or the network has changed it, let ` +
      'another replica lead the partition, or restore the topic; then start this program again',
  );
