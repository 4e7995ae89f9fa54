import type { Multipart } from '@fastify/multipart';
import { BadRequestException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export interface FormBounds {
  /** Of the whole form, also without a length header. */
  bytesMax: number;
  tooLarge: () => Error;
  /** Of the access of the caller. */
  signal: AbortSignal;
}

/**
 * The parts of a form. The end of the access, or a byte above `bytesMax`, fails the wait for the next part, and the stream
 * of the current one: the answer then takes the rest of the body away from the parser, and a reader would wait for ever
 * with what it holds.
 * @throws the reason of `signal`, `tooLarge`; BadRequestException if the client has hung up already; errors of the parser
 */
export async function* partsOf(
  request: FastifyRequest,
  options: Parameters<FastifyRequest['parts']>[0],
  { bytesMax, tooLarge, signal }: FormBounds,
): AsyncGenerator<Multipart> {
  const { raw } = request;
  signal.throwIfAborted();
  if (raw.destroyed) throw new BadRequestException('the connection was closed before the end of the body');
  let part: Multipart | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (error: Error) => {
      if (part?.type === 'file') part.file.destroy(error);
      reject(error);
    };
    let bytes = 0;
    raw.on('data', function count(chunk: Buffer) {
      bytes += chunk.length;
      if (bytes <= bytesMax) return;
      raw.off('data', count);
      end(tooLarge());
    });
    signal.addEventListener('abort', () => end(signal.reason));
  });
  // It may also be during the last part.
  ended.catch(() => undefined);
  const parts = request.parts(options);
  for (;;) {
    const next = await Promise.race([parts.next(), ended]);
    if (next.done) return;
    part = next.value;
    yield part;
  }
}
