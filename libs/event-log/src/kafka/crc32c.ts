/** Castagnoli's polynomial, reversed. */
const POLYNOMIAL = 0x82f63b78;
/** Bytes that one step takes. */
const SLICES = 8;

/** `TABLES[n * 256 + byte]`: the checksum of a byte with n zero bytes behind it. */
const TABLES = new Int32Array(SLICES * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  TABLES[byte] = crc;
}
for (let index = 256; index < TABLES.length; index++) {
  const before = TABLES[index - 256]!;
  TABLES[index] = (before >>> 8) ^ TABLES[before & 0xff]!;
}

/** CRC-32C of Kafka's batches, eight bytes at a time; kafkajs takes one. Node has no other CRC than that of ZIPs. */
export function crc32c(bytes: Uint8Array): number {
  const steps = bytes.length - (bytes.length % SLICES);
  let crc = -1;
  let at = 0;
  for (; at < steps; at += SLICES) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      TABLES[1792 + (crc & 0xff)]! ^
      TABLES[1536 + ((crc >>> 8) & 0xff)]! ^
      TABLES[1280 + ((crc >>> 16) & 0xff)]! ^
      TABLES[1024 + (crc >>> 24)]! ^
      TABLES[768 + bytes[at + 4]!]! ^
      TABLES[512 + bytes[at + 5]!]! ^
      TABLES[256 + bytes[at + 6]!]! ^
      TABLES[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = TABLES[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
