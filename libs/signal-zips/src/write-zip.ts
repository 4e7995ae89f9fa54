import { crc32, deflateRawSync } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { PART_BYTES_MAX } from './plan-zips.ts';
import { ENTRIES_WITHOUT_ZIP64_MAX, withZip64End } from './zip64-end.ts';

const COMPRESSION_LEVEL = 6;

/** The method of an entry in the ZIP format. */
const DEFLATE = 8;

/** One time for every entry, so that the same signals make the same bytes; local, as the times in a ZIP are. */
const ENTRY_TIME = new Date(2000, 0, 1, 12);

/** A content as it is in a ZIP. */
export interface Deflated {
  bytes: Buffer<ArrayBuffer>;
  /** Of what was deflated. */
  unpackedBytes: number;
  /** CRC-32 of what was deflated. */
  checksum: number;
}

/** In one call: a stream of zlib for each entry costs four times as much. */
export const deflated = (content: Buffer): Deflated => ({
  bytes: deflateRawSync(content, { level: COMPRESSION_LEVEL }) as Buffer<ArrayBuffer>,
  unpackedBytes: content.length,
  checksum: crc32(content),
});

/** What was measured does not fit any more. */
export class GrownFilesError extends Error {
  override name = 'GrownFilesError';
}

/** An entry whose content is read when its turn comes. */
export interface ZipEntry {
  name: string;
  read: () => Promise<Deflated>;
}

/**
 * A ZIP of signals and, at its root, a config.json if one is given; in memory, as it is small. Contents are read one
 * after another.
 * @throws GrownFilesError if it is larger, because files grew after they were measured; errors of `read`
 */
export async function writeZip(
  entries: Iterable<ZipEntry>,
  config: Buffer | null,
  bytesMax = PART_BYTES_MAX,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    bytes += chunk.length;
    if (bytes > bytesMax) throw new GrownFilesError('files grew during packing: try again');
    chunks.push(chunk);
  });
  let count = 0;
  const add = (name: string, content: Deflated) => {
    count += 1;
    addEntry(zip, name, content);
  };
  if (config) add('config.json', deflated(config));
  for (const { name, read } of entries) add(name, await read());
  zip.end();
  const written = Buffer.concat(chunks);
  return count > ENTRIES_WITHOUT_ZIP64_MAX ? withZip64End(written, count) : written;
}

function addEntry(zip: Zip, filename: string, { bytes, unpackedBytes, checksum }: Deflated): void {
  const file: ZipInputFile = {
    filename,
    size: unpackedBytes,
    crc: checksum,
    compression: DEFLATE,
    mtime: ENTRY_TIME,
  };
  zip.add(file);
  file.ondata!(null, bytes, true);
}
