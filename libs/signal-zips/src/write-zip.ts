import { Readable } from 'node:stream';
import { deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import { PART_BYTES_MAX } from './plan-zips.ts';

const COMPRESSION_LEVEL = 6;

/** One time for every entry, so that the same signals make the same bytes. */
const ENTRY_TIME = new Date(Date.UTC(2000, 0, 1, 12));

/** An entry's content as in a ZIP of `writeZip`. */
export const deflated = (content: Buffer): Buffer => deflateRawSync(content, { level: COMPRESSION_LEVEL });

/** How many bytes an entry's content will take in a ZIP of `writeZip`. */
export const deflatedBytes = (content: Buffer): number => deflated(content).length;

/** What was measured does not fit any more. */
export class GrownFilesError extends Error {
  override name = 'GrownFilesError';
}

/** An entry whose content is read when its turn comes. */
export interface ZipEntry {
  name: string;
  read: () => Promise<Buffer>;
}

/**
 * A ZIP of signals and, at its root, a config.json if one is given; in memory, as it is small. Contents are
 * read and compressed one after another.
 * @throws GrownFilesError if it is larger, because files grew after they were measured; errors of `read`
 */
export async function writeZip(
  entries: Iterable<ZipEntry>,
  config: Buffer | null,
  bytesMax = PART_BYTES_MAX,
): Promise<Buffer> {
  const zip = new ZipFile();
  const collected = collect(zip.outputStream as Readable, bytesMax);
  zip.on('error', (error: Error) => (zip.outputStream as Readable).destroy(error));
  if (config) addEntry(zip, { name: 'config.json', read: async () => config });
  for (const entry of entries) addEntry(zip, entry);
  zip.end();
  return collected;
}

/** As a stream, because yazl compresses every buffer at once, with 256 KB of memory for each. */
function addEntry(zip: ZipFile, { name, read }: ZipEntry): void {
  const options = { mtime: ENTRY_TIME, compressionLevel: COMPRESSION_LEVEL };
  zip.addReadStreamLazy(name, options, (pass) => {
    read().then(
      (content) => pass(null, Readable.from([content])),
      (error: Error) => pass(error, Readable.from([])),
    );
  });
}

async function collect(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new GrownFilesError('files grew during packing: try again');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
