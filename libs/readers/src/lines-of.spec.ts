import { describe, expect, it } from '@jest/globals';
import { linesOf } from './lines-of.ts';

describe('the lines of a stream', () => {
  async function* chunks(text: string, size: number): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }

  it.each([1, 2, 3, 100])('end only at line feeds, for pieces of %d bytes', async (size) => {
    const lines: string[] = [];
    for await (const line of linesOf(chunks('a\n\nb\r\u2028ä\n\rlast', size))) lines.push(line.toString());
    expect(lines).toEqual(['a\n', '\n', 'b\r\u2028ä\n', '\rlast']);
  });
});
