import { Readable } from 'node:stream';
import { createGunzip, type ZlibOptions } from 'node:zlib';

/**
 * The decompressed bytes of a gzip stream, up to the first error.
 * @throws Error with a code that begins with `Z_` if the stream is not gzip, or is damaged or truncated
 */
export async function* readGzip(
  chunks: AsyncIterable<Buffer>,
  options: ZlibOptions = {},
): AsyncGenerator<Buffer> {
  const source = Readable.from(chunks);
  const gunzip = createGunzip(options);
  // `pipe` does not forward errors, and a consumer may stop early.
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
  }
}
