import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { readGzip } from '#libs/readers';
import type { CatalogueFile, ReadBytes } from './catalogue-file.ts';
import { asCatalogueFileError } from './catalogue-file-error.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);

/** A file on disk, decompressed if it begins like gzip, regardless of its name. */
export const diskFile = (path: string, read: ReadBytes): CatalogueFile => ({
  name: path,
  baseName: basename(path),
  content: () => unpacked(path, read),
});

async function* unpacked(path: string, read: ReadBytes): AsyncGenerator<Buffer> {
  const chunks = counted(path, read);
  try {
    const first = await chunks.next();
    if (first.done) return;
    const all = prepend(first.value, chunks);
    yield* startsWith(first.value, GZIP) ? readGzip(all) : all;
  } catch (error) {
    throw asCatalogueFileError(path, error);
  } finally {
    await chunks.return(undefined);
  }
}

export const startsWith = (bytes: Buffer, signature: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature);

async function* counted(path: string, read: ReadBytes): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    read.add(chunk.length);
    yield chunk;
  }
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
