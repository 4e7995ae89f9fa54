import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf, type StreamBlock } from './event-stream.ts';

async function read(...texts: string[]): Promise<StreamBlock[]> {
  async function* inPieces() {
    yield* texts;
  }
  const blocks = [];
  for await (const block of blocksOf(inPieces())) blocks.push(block);
  return blocks;
}

describe('a stream of server-sent events', () => {
  it('is parsed by field, without comments and unknown fields', async () => {
    const text =
      ': heartbeat\n\nevent: asset\ndata: {"a":1}\nid: a:1\nfoo: x\nretry: 5\n\ndata:b\ndata\ndata:  c\n\n';
    expect(await read(text)).toEqual([{ event: 'asset', data: '{"a":1}', id: 'a:1' }, { data: 'b\n\n c' }]);
  });

  it('ends no line at a separator of Unicode', async () => {
    expect(await read('data: a\u2028b\u2029\n\n')).toEqual([{ data: 'a\u2028b\u2029' }]);
  });

  it('reports an id without data', async () => {
    expect(await read('retry: 2000\nid: f:0.0\n\n')).toEqual([{ id: 'f:0.0' }]);
  });

  it('reports no incomplete block', async () => {
    expect(await read('data: a\n\ndata: b\n')).toEqual([{ data: 'a' }]);
  });

  it('searches only new chunks of a long line: otherwise this takes minutes', async () => {
    const chunks = Array<string>(8_000).fill('x'.repeat(1_000));
    const [block] = await read('data: ', ...chunks, '\n\n');
    expect(block!.data).toHaveLength(8_000_000);
  });

  it('is independent of chunks and line endings', async () => {
    const text = 'id: 1\ndata: {"name":"ä: b\u2028c\u2029"}\n\n: c\n\nevent: score\ndata: x\ndata: y\n\n';
    const whole = await read(text);
    const pieces = fc.array(fc.nat({ max: 3 * text.length }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('\n', '\r\n'), pieces, async (end, cuts) => {
        const given = text.replaceAll('\n', end);
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, given.length)).sort((a, b) => a - b),
          given.length,
        ];
        expect(await read(...places.slice(1).map((to, i) => given.slice(places[i], to)))).toEqual(whole);
      }),
    );
  });
});
