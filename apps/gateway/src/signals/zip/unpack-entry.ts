import { crc32, inflateRawSync } from 'node:zlib';
import type { ZipEntry } from './zip-directory.ts';
import { entryRefused } from './zip-refused.ts';

/**
 * The unpacked bytes of an entry, never more than its directory record declares. Verifies size and checksum.
 * Synchronous: call it in a worker.
 * @throws ZipRefused if size or checksum differ
 */
export function unpackEntry(zip: Buffer, entry: ZipEntry): Buffer {
  const data = zip.subarray(entry.dataStart, entry.dataStart + entry.compressedSize);
  const bytes = entry.isDeflated ? inflate(data, entry) : data;
  if (bytes.length !== entry.uncompressedSize) {
    throw entryRefused(
      entry.name,
      `the uncompressed size is ${bytes.length} bytes, but the entry declares ${entry.uncompressedSize}`,
    );
  }
  if (crc32(bytes) !== entry.crc32)
    throw entryRefused(entry.name, 'the entry is damaged: its checksum is wrong');
  return bytes;
}

function inflate(data: Buffer, { name, uncompressedSize }: ZipEntry): Buffer {
  try {
    // One byte more than declared, so that a stream of exactly the declared size ends within the buffer.
    return inflateRawSync(data, {
      maxOutputLength: uncompressedSize + 1,
      chunkSize: Math.max(64, uncompressedSize + 1),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw entryRefused(name, `the uncompressed size exceeds the declared ${uncompressedSize} bytes`);
    }
    throw entryRefused(name, 'the entry is damaged: it cannot be uncompressed');
  }
}
