import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readBody } from './read-body.ts';

const MB = 1024 * 1024;

async function* single(bytes: number): AsyncGenerator<Buffer> {
  // Each one holds on to memory of its own, as what a socket has read does.
  for (let i = 0; i < bytes; i++) yield Buffer.alloc(256, i).subarray(0, 1);
}

describe('readBody', () => {
  it('is what came, in whatever pieces', async () => {
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
      message: 'a.example answers more than 10000 bytes',
    });
    expect(asked).toBe(11);
  });

  it('does not keep the pieces: single bytes cost no more than their bytes', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const body = await readBody(single(2 * MB), 2 * MB, 'a.example');
    expect(body).toHaveLength(2 * MB);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MB);
  });
});
