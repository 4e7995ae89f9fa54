import type { FastifyRequest } from 'fastify';

/** A form without a length header is limited too. Rejects with `tooLarge` above `bytesMax`, and never resolves. */
export function refuseEndlessForm(
  { raw }: FastifyRequest,
  bytesMax: number,
  tooLarge: () => Error,
): Promise<never> {
  return new Promise((_, reject) => {
    let bytes = 0;
    raw.on('data', function count(chunk: Buffer) {
      bytes += chunk.length;
      if (bytes <= bytesMax) return;
      raw.off('data', count).unpipe();
      reject(tooLarge());
    });
  });
}
