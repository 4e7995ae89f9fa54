import { inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';

export interface UnpackedEntry {
  name: string;
  content: Buffer;
}

/** Bytes of a local header before the name, and the offsets of the lengths of the name and the extra field. */
const LOCAL_HEADER_BYTES = 30;
const NAME_LENGTH_AT = 26;
const EXTRA_LENGTH_AT = 28;

/** The entries of a ZIP in memory. Inflates in place, which is several times faster than yauzl's streams. */
export async function* unpackedEntries(zip: Buffer): AsyncGenerator<UnpackedEntry> {
  const file = await yauzl.fromBufferPromise(zip, { lazyEntries: true });
  for await (const entry of file.eachEntry()) {
    const at = entry.relativeOffsetOfLocalHeader;
    const start =
      at +
      LOCAL_HEADER_BYTES +
      zip.readUInt16LE(at + NAME_LENGTH_AT) +
      zip.readUInt16LE(at + EXTRA_LENGTH_AT);
    const data = zip.subarray(start, start + entry.compressedSize);
    yield { name: entry.fileName, content: inflateRawSync(data, { chunkSize: entry.uncompressedSize + 64 }) };
  }
}
