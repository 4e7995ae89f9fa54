import { crc32 } from 'node:zlib';
import avro from 'avsc';
import type { StoredRecord } from '#libs/event-log';
import { LogContentError } from './log-content-error.ts';

/** One thing that a log file holds (docs/log-file.md "The file"). */
export type Frame =
  | { Header: { logId: string; ends: number[] } }
  | { Record: StoredRecord }
  | { End: { records: number; heads: Buffer[] } };

const frameType = avro.Type.forSchema(
  [
    {
      type: 'record',
      name: 'Header',
      fields: [
        { name: 'logId', type: 'string' },
        { name: 'ends', type: { type: 'array', items: 'long' } },
      ],
    },
    {
      type: 'record',
      name: 'Record',
      fields: [
        { name: 'partition', type: 'int' },
        { name: 'offset', type: 'long' },
        { name: 'storedAt', type: 'long' },
        { name: 'key', type: 'string' },
        { name: 'value', type: 'bytes' },
        { name: 'headers', type: { type: 'map', values: 'string' } },
      ],
    },
    {
      type: 'record',
      name: 'End',
      fields: [
        { name: 'records', type: 'long' },
        { name: 'heads', type: { type: 'array', items: 'bytes' } },
      ],
    },
  ],
  { wrapUnions: 'always' },
);

/** Length and CRC-32 of the body, 4 bytes each. */
const PREFIX_BYTES = 8;
/** Above every record that a log takes; a longer one is damage, and must not fill the memory. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** @throws RangeError where it is longer than a frame may be, 64 MiB */
export function encodeFrame(frame: Frame): Buffer {
  const body = frameType.toBuffer(frame);
  if (body.length > BODY_BYTES_MAX) throw new RangeError(`a record of ${body.length} bytes is too large`);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(body.length, 0);
  prefix.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([prefix, body]);
}

/**
 * The frames of a stream of bytes: those that each chunk completes, together.
 * @throws LogContentError with what is wrong, without the position, where one is damaged or cut off
 */
export async function* framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    const frames: Frame[] = [];
    let damage: unknown;
    try {
      for (let bytes = frameBytes(rest); bytes <= rest.length; bytes = frameBytes(rest)) {
        frames.push(decodeFrame(rest.subarray(0, bytes)));
        rest = rest.subarray(bytes);
      }
    } catch (error) {
      damage = error;
    }
    // What is whole before the damage says where it lies.
    if (frames.length > 0) yield frames;
    if (damage) throw damage;
  }
  if (rest.length > 0) throw new LogContentError('it is cut off there');
}

/** How many bytes the first frame takes; more than there are where even that is not known yet. */
function frameBytes(bytes: Buffer): number {
  if (bytes.length < PREFIX_BYTES) return Number.POSITIVE_INFINITY;
  const length = bytes.readUInt32BE(0);
  if (length > BODY_BYTES_MAX) throw new LogContentError(`it says a length of ${length} bytes`);
  return PREFIX_BYTES + length;
}

function decodeFrame(bytes: Buffer): Frame {
  const body = bytes.subarray(PREFIX_BYTES);
  if (crc32(body) !== bytes.readUInt32BE(4)) throw new LogContentError('its checksum is another');
  try {
    return frameType.fromBuffer(body);
  } catch (error) {
    throw new LogContentError(`it does not decode: ${(error as Error).message}`);
  }
}
