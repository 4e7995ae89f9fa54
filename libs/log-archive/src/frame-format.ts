import { crc32 } from 'node:zlib';
import avro from 'avsc';
import { LogContentError } from './log-content-error.ts';

/** Length and CRC-32 of the body, 4 bytes each. */
const PREFIX_BYTES = 8;
/** Above every record that a log takes; a longer one is damage, and must not fill the memory. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The frames of a kind of file: an Avro union of records, each with its length and checksum. */
export class FrameFormat<Frame> {
  private readonly type: avro.Type;

  /** @param records the union; a frame is an object of one property, which is the name of its record */
  constructor(records: avro.Schema[]) {
    this.type = avro.Type.forSchema(records as avro.Schema, { wrapUnions: 'always' });
  }

  /** @throws RangeError if it is longer than a frame may be, 64 MiB */
  encode(frame: Frame): Buffer {
    const body = this.type.toBuffer(frame);
    if (body.length > BODY_BYTES_MAX) throw new RangeError(`a record of ${body.length} bytes is too large`);
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(body.length, 0);
    prefix.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([prefix, body]);
  }

  /**
   * The frames of a stream of bytes; yields the frames that a chunk completes as one array.
   * @throws LogContentError with what is wrong, without the position, if one is damaged or cut off
   */
  async *framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame[]> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of chunks) {
      rest = Buffer.concat([rest, chunk]);
      const frames: Frame[] = [];
      let damage: unknown;
      try {
        for (let bytes = frameBytes(rest); bytes <= rest.length; bytes = frameBytes(rest)) {
          frames.push(this.decode(rest.subarray(0, bytes)));
          rest = rest.subarray(bytes);
        }
      } catch (error) {
        damage = error;
      }
      // The frames before the damage show its position.
      if (frames.length > 0) yield frames;
      if (damage) throw damage;
    }
    if (rest.length > 0) throw new LogContentError('it is cut off there');
  }

  private decode(bytes: Buffer): Frame {
    const body = bytes.subarray(PREFIX_BYTES);
    if (crc32(body) !== bytes.readUInt32BE(4)) throw new LogContentError('its checksum does not match');
    try {
      return this.type.fromBuffer(body);
    } catch (error) {
      throw new LogContentError(`it cannot be decoded: ${(error as Error).message}`);
    }
  }
}

/** Size of the first frame in bytes; more than the available bytes if the size is not known yet. */
function frameBytes(bytes: Buffer): number {
  if (bytes.length < PREFIX_BYTES) return Number.POSITIVE_INFINITY;
  const length = bytes.readUInt32BE(0);
  if (length > BODY_BYTES_MAX) throw new LogContentError(`it states a length of ${length} bytes`);
  return PREFIX_BYTES + length;
}
