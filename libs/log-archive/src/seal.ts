import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type FileKind, firstLineOf, newChecksum } from './container.ts';

/**
 * Writes frames as a file of a kind: packed, after the first line and before the checksum of both. They
 * are requested no faster than the stream takes them.
 * @param end whether the stream is ended when all is written
 * @throws errors of the frames and of the stream
 */
export async function seal(
  kind: FileKind,
  frames: () => AsyncGenerator<Buffer>,
  stream: Writable,
  end: boolean,
): Promise<void> {
  async function* sealed(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const firstLine = firstLineOf(kind);
    const checksum = newChecksum().update(firstLine);
    yield firstLine;
    for await (const chunk of packed) {
      checksum.update(chunk);
      yield chunk;
    }
    yield checksum.digest();
  }
  await pipeline(frames, createGzip(), sealed, stream, { end });
}
