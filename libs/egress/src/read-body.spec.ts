import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retainedBytes } from '../../../test/support/retained-bytes.ts';
import { readBody } from './read-body.ts';

const MB = 1024 * 1024;

describe('readBody', () => {
  it('is the received text, in any pieces', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40_000 }).map((bytes) => Buffer.from(bytes)));
    await fc.assert(
      fc.asyncProperty(pieces, async (chunks) => {
        const all = Buffer.concat(chunks);
        expect((await readBody(Readable.from(chunks), all.length, 'a.example')).equals(all)).toBe(true);
      }),
    );
  });

  it('ends with the first byte too many, and reads no further', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        asked += 1;
        yield Buffer.alloc(1000);
      }
    }
    await expect(readBody(endless(), 10_000, 'a.example')).rejects.toMatchObject({
      failure: 'tooLarge',
      message: 'the response of a.example exceeds 10000 bytes',
    });
    expect(asked).toBe(11);
  });

  it('does not keep the pieces: single bytes cost no more than their bytes', async () => {
    const before = retainedBytes('arrayBuffers');
    let during = 0;
    async function* single(bytes: number): AsyncGenerator<Buffer> {
      // Each chunk has separate memory, like data read from a socket: 256 MB in total.
      for (let i = 0; i < bytes; i++) yield Buffer.alloc(8 * 1024, i).subarray(0, 1);
      during = retainedBytes('arrayBuffers');
    }
    const bytes = 32 * 1024;
    expect(await readBody(single(bytes), bytes, 'a.example')).toHaveLength(bytes);
    expect(during - before).toBeLessThan(1 * MB);
  });
});
