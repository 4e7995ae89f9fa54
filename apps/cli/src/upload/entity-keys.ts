import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { SIGNAL_BYTES_MAX } from '#libs/signal-zips';
import { keyOf } from './signal-file.ts';

/**
 * The keys of the entities that a ZIP of signals names. Entries that are no signal are skipped, as the service
 * does or says.
 * @param zip one that the service has taken, so within its limits
 * @throws Error if it is no ZIP after all
 */
export async function entityKeysOf(zip: Buffer): Promise<Set<string>> {
  const keys = new Set<string>();
  const file = await fromBufferPromise(zip, { lazyEntries: true });
  for await (const entry of file.eachEntry()) {
    const key = await entityKeyOf(file, entry);
    if (key !== null) keys.add(key);
  }
  return keys;
}

async function entityKeyOf(file: ZipFile, entry: Entry): Promise<string | null> {
  if (!/\.json$/i.test(entry.fileName) || entry.uncompressedSize > SIGNAL_BYTES_MAX) return null;
  const chunks: Buffer[] = [];
  // yauzl ends the stream if it gives more than the directory says.
  for await (const chunk of (await file.openReadStreamPromise(entry)) as Readable) chunks.push(chunk);
  try {
    return keyOf(
      JSON.parse(
        Buffer.concat(chunks)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      ).entity,
    );
  } catch {
    return null;
  }
}
