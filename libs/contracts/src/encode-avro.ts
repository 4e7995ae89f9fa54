import type avro from 'avsc';

/** Nearly every record fits; a larger one is measured here, and encoded a second time. */
const SCRATCH_BYTES = 64 * 1024;
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/** A value in Avro, after `head` bytes that the caller fills; exactly as long as that. */
export function encodeAvro(type: avro.Type, value: unknown, head = 0): Buffer {
  const end = type.encode(value, scratch, head);
  if (end >= 0) return Buffer.from(scratch.subarray(0, end));
  const buffer = Buffer.allocUnsafe(SCRATCH_BYTES - end);
  type.encode(value, buffer, head);
  return buffer;
}
