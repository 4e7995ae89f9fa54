import { EgressError } from './egress.ts';

const CAPACITY_BYTES = 64 * 1024;

/**
 * The whole body, in one buffer that grows: chunks that are kept would cost a sender of single bytes nothing, and this
 * process a hundred times the bound. Takes twice `bytesMax` of memory at most, and three times while it grows.
 * @throws EgressError `tooLarge`
 */
export async function readBody(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  who: string,
): Promise<Buffer> {
  let body = Buffer.allocUnsafe(CAPACITY_BYTES);
  let length = 0;
  for await (const chunk of chunks) {
    const reached = length + chunk.length;
    if (reached > bytesMax)
      throw new EgressError('tooLarge', `the response of ${who} exceeds ${bytesMax} bytes`);
    if (reached > body.length) {
      const grown = Buffer.allocUnsafe(Math.max(reached, body.length * 2));
      body.copy(grown, 0, 0, length);
      body = grown;
    }
    chunk.copy(body, length);
    length = reached;
  }
  return body.subarray(0, length);
}
