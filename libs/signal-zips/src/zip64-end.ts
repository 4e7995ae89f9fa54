/** Of a ZIP whose end has 16 bits for it. */
export const ENTRIES_WITHOUT_ZIP64_MAX = 0xffff;

const END_BYTES = 22;
const ZIP64_END_BYTES = 56;
const LOCATOR_BYTES = 20;

/** A ZIP without ZIP64 and without a comment, with the end of one that has more entries than 65,535 (APPNOTE 4.3.14, 4.3.15). */
export function withZip64End(zip: Buffer, entries: number): Buffer {
  const at = zip.length - END_BYTES;
  const end = Buffer.from(zip.subarray(at));
  const [directoryBytes, directoryAt] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  const zip64End = Buffer.alloc(ZIP64_END_BYTES);
  zip64End.writeUInt32LE(0x06064b50, 0);
  zip64End.writeBigUInt64LE(BigInt(ZIP64_END_BYTES - 12), 4);
  zip64End.writeUInt16LE(45, 12);
  zip64End.writeUInt16LE(45, 14);
  const sizes = [entries, entries, directoryBytes, directoryAt];
  for (const [i, size] of sizes.entries()) zip64End.writeBigUInt64LE(BigInt(size), 24 + 8 * i);
  const locator = Buffer.alloc(LOCATOR_BYTES);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  return Buffer.concat([zip.subarray(0, at), zip64End, locator, end]);
}
