import { crc32, inflateRawSync } from 'node:zlib';
import type { ZipEntry } from './zip-directory.ts';
import { entryRefused } from './zip-refused.ts';

/**
 * The bytes of an entry; never more than its directory record declares, and exactly those that it was packed from.
 * Synchronous: call it in a worker.
 * @throws ZipRefused where size or checksum differ
 */
export function unpackEntry(zip: Buffer, entry: ZipEntry): Buffer {
  const data = zip.subarray(entry.dataStart, entry.dataStart + entry.compressedSize);
  const bytes = entry.isDeflated ? inflate(data, entry) : data;
  if (bytes.length !== entry.uncompressedSize) {
    throw entryRefused(
      entry.name,
      `it unpacks to ${bytes.length} bytes, not to the ${entry.uncompressedSize} it declares`,
    );
  }
  if (crc32(bytes) !== entry.crc32) throw entryRefused(entry.name, 'it is damaged: its checksum differs');
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
      throw entryRefused(name, `it unpacks to more than the ${uncompressedSize} bytes it declares`);
    }
    throw entryRefused(name, 'it is damaged: it does not unpack');
  }
}
