import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import type { CatalogueFile, ReadBytes } from './catalogue-file.ts';
import { asCatalogueFileError, CatalogueFileError } from './catalogue-file-error.ts';

/** The files of a ZIP archive, one after the other, in the order of its directory; their content is checked by CRC. */
export async function* zipFiles(path: string, read: ReadBytes): AsyncGenerator<CatalogueFile> {
  const zip = await open(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const name = `${path}: ${entry.fileName}`;
      yield {
        name,
        baseName: posix.basename(entry.fileName),
        content: () => contentOf(zip, entry, name),
      };
      read.add(entry.compressedSize);
    }
  } catch (error) {
    throw asCatalogueFileError(path, error);
  } finally {
    zip.close();
  }
}

async function open(path: string): Promise<yauzl.ZipFile> {
  try {
    return await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw asCatalogueFileError(path, error);
  }
}

async function* contentOf(zip: yauzl.ZipFile, entry: yauzl.Entry, name: string): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw asCatalogueFileError(name, error);
  }
  if (sum !== entry.crc32) throw new CatalogueFileError(name, null, 'is damaged: its checksum differs');
}
