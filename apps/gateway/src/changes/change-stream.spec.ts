import { Readable } from 'node:stream';
import { describe, expect, it, jest } from '@jest/globals';
import { formatCursor } from '#libs/changes';
import { type ChangeSources, changeStream } from './change-stream.ts';
import { eventText } from './event-text.ts';

/** A source with `counts` changes of findings in two partitions; `asked` counts the reads. */
function source(counts: [number, number]) {
  const state = { counts, asked: 0, version: 1 };
  const sources: ChangeSources = {
    idOf: formatCursor,
    heads: {
      after: async (version) =>
        version < state.version
          ? {
              vector: { assets: [0, 0], findings: [...state.counts], scores: [0, 0] },
              version: state.version,
            }
          : null,
    },
    texts: {
      after: async (_topic, partition, sequence) => {
        state.asked += 1;
        const end = Math.min(sequence + 2, state.counts[partition]!);
        return Array.from({ length: end - sequence }, (_, i) => `data: ${partition}/${sequence + i + 1}\n`);
      },
    },
  };
  return { state, sources };
}

async function take(stream: AsyncGenerator<string>, until: RegExp): Promise<string> {
  let text = '';
  while (!until.test(text)) text += (await stream.next()).value ?? '';
  return text;
}

describe('the stream of one client', () => {
  it('sends first its start position, then every change with the id after it, then heartbeats', async () => {
    const { sources } = source([3, 1]);
    const stream = changeStream(sources, { findings: [0, 0] }, new AbortController().signal);
    expect(await take(stream, /heartbeat\n.*\n\n$/)).toBe(
      [
        'retry: 2000\nid: f:0.0',
        'data: 0/1\nid: f:1.0',
        'data: 0/2\nid: f:2.0',
        'data: 0/3\nid: f:3.0',
        'data: 1/1\nid: f:3.1',
        ': heartbeat\nid: f:3.1',
        '',
      ].join('\n\n'),
    );
  });

  it('sends heartbeats with the id that is reached while it passes many hidden changes', async () => {
    const { sources } = source([1_000, 0]);
    let seconds = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => seconds * 1_000);
    try {
      const slow = sources.texts.after;
      sources.texts.after = async (...from) => {
        seconds += 1;
        return (await slow(...from)).map(() => null);
      };
      const stream = changeStream(sources, { findings: [0, 0] }, new AbortController().signal);
      await stream.next();
      const texts = [await stream.next(), await stream.next()].map(({ value }) => value);
      expect(texts).toEqual(
        [30, 60].map((n) => `: heartbeat\nid: ${formatCursor({ findings: [n, 0] })}\n\n`),
      );
    } finally {
      clock.mockRestore();
    }
  });

  it('continues with later changes', async () => {
    const { sources, state } = source([1, 0]);
    const stream = changeStream(sources, { findings: [1, 0] }, new AbortController().signal);
    await take(stream, /heartbeat/);
    state.counts = [1, 1];
    state.version += 1;
    expect(await take(stream, /data/)).toBe('data: 1/1\nid: f:1.1\n\n');
  });

  it('sends an asset before its findings, also if both appear while it reads (R-CHG-7)', async () => {
    const stored = { assets: ['asset 1'], findings: ['finding of 1'], scores: [] as string[] };
    const stream = changeStream(
      {
        idOf: formatCursor,
        heads: {
          after: async (version) => ({
            vector: { assets: [version + 1], findings: [version + 1], scores: [0] },
            version: version + 1,
          }),
        },
        texts: {
          after: async (topic, _partition, sequence) => {
            const found = stored[topic].slice(sequence).map((text) => `data: ${text}\n`);
            if (topic === 'assets' && sequence === 0) {
              stored.assets.push('asset 2');
              stored.findings.push('finding of 2');
            }
            return found;
          },
        },
      },
      { assets: [0], findings: [0], scores: [0] },
      new AbortController().signal,
    );
    const text = await take(stream, /finding of 2/);
    expect(text.match(/data: .*/g)).toEqual([
      'data: asset 1',
      'data: finding of 1',
      'data: asset 2',
      'data: finding of 2',
    ]);
  });

  it('ends at its signal', async () => {
    const { sources } = source([1_000, 0]);
    const client = new AbortController();
    const stream = changeStream(sources, { findings: [0, 0] }, client.signal);
    await take(stream, /data/);
    client.abort();
    let pieces = 0;
    for await (const _ of stream) pieces += 1;
    expect(pieces).toBeLessThan(2);
  });

  it('reads nothing further for a client that does not read', async () => {
    const { sources, state } = source([1_000_000, 0]);
    const text = changeStream(sources, { findings: [0, 0] }, new AbortController().signal);
    const stream = Readable.from(text, { objectMode: false, highWaterMark: 1_024 });
    stream.read(0);
    let before = -1;
    while (state.asked !== before) {
      before = state.asked;
      await new Promise(setImmediate);
    }
    expect(state.asked).toBeGreaterThan(0);
    expect(state.asked).toBeLessThan(100);
    stream.destroy();
  });
});

it('times are in ISO 8601, and sender fields with such names are unchanged', () => {
  const changed = {
    id: 'x',
    firstSeen: 0,
    accepted: null,
    tags: { at: ['5'] },
    change: { at: 1_000, sequence: 5 },
  };
  expect(eventText('asset', changed as never)).toBe(
    'event: asset\ndata: {"id":"x","firstSeen":"1970-01-01T00:00:00.000Z","accepted":null,"tags":{"at":["5"]},' +
      '"change":{"at":"1970-01-01T00:00:01.000Z","sequence":5}}\n',
  );
});
