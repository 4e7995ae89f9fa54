/** What kafkajs writes its requests with, and the parts of them. */
export interface RequestEncoder {
  /** What is written up to `offset`. */
  buf: Buffer;
  offset: number;
  readonly buffer: Buffer;
  ensureAvailable(length: number): void;
  writeBufferInternal(bytes: Buffer): void;
  writeEncoder(value: RequestEncoder): this;
  writeEncoderArray(values: { buf: Buffer; buffer: Buffer }[]): this;
  size(): number;
}

type EncoderClass = new (initialSize?: number) => RequestEncoder;

/** Smaller parts are copied. */
const KEPT_BYTES_MIN = 4_096;

/**
 * An encoder that keeps large parts as they are until the whole is asked for. That of kafkajs copies a batch seven times
 * on its way into a request, each time into memory that is doubled as needed and filled with zeros first.
 */
export function requestEncoder(Original: EncoderClass): EncoderClass {
  return class PartsEncoder extends Original {
    /** What is written before `buf`. */
    private parts: Buffer[] = [];

    override get buffer(): Buffer {
      const written = this.buf.subarray(0, this.offset);
      if (this.parts.length === 0) return written;
      const whole = Buffer.concat([...this.parts, written]);
      this.parts = [];
      this.buf = whole;
      this.offset = whole.length;
      return whole;
    }

    override size(): number {
      return this.parts.reduce((bytes, part) => bytes + part.length, this.offset);
    }

    override ensureAvailable(length: number): void {
      if (this.offset + length <= this.buf.length) return;
      const larger = Buffer.allocUnsafe(Math.max(2 * this.buf.length, this.offset + length));
      this.buf.copy(larger, 0, 0, this.offset);
      this.buf = larger;
    }

    override writeBufferInternal(bytes: Buffer): void {
      if (bytes.length < KEPT_BYTES_MIN) super.writeBufferInternal(bytes);
      else this.keep(bytes);
    }

    override writeEncoder(value: RequestEncoder): this {
      if (!(value instanceof PartsEncoder) || value.parts.length === 0) return super.writeEncoder(value);
      for (const part of value.parts) this.keep(part);
      this.writeBufferInternal(value.buf.subarray(0, value.offset));
      return this;
    }

    override writeEncoderArray(values: { buf: Buffer; buffer: Buffer }[]): this {
      this.ensureAvailable(values.reduce((sum, { buffer }) => sum + buffer.length, 0));
      return super.writeEncoderArray(values);
    }

    private keep(part: Buffer): void {
      this.parts.push(this.buf.subarray(0, this.offset), part);
      this.buf = this.buf.subarray(this.offset);
      this.offset = 0;
    }
  };
}
