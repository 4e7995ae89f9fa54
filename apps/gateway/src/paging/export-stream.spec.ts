import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { jsonLines } from './export-format.ts';
import { ExportSlots } from './export-slots.ts';
import { exportStream } from './export-stream.ts';

/** A list without end, and how many of its pages were read. */
function endlessList() {
  const list = {
    pages: 0,
    read: async () => {
      list.pages += 1;
      return { items: ['x'.repeat(1000)], nextCursor: String(list.pages) };
    },
  };
  return list;
}

/** Everything that can go on without the client has gone on. */
const settled = async () => {
  for (let i = 0; i < 100; i += 1) await new Promise(setImmediate);
};

describe('a stream of an export', () => {
  it('reads no further than the client', async () => {
    const list = endlessList();
    const stream = await exportStream(list.read, jsonLines);
    await settled();
    expect(list.pages).toBe(1);
    const taken = stream[Symbol.asyncIterator]();
    for (let i = 1; i <= 20; i += 1) {
      await taken.next();
      await settled();
      expect(list.pages).toBeLessThanOrEqual(i + 2);
      expect(stream.readableLength).toBeLessThanOrEqual(2_100);
    }
    stream.destroy();
  });

  it('reads nothing once it is destroyed', async () => {
    const list = endlessList();
    const stream = await exportStream(list.read, jsonLines);
    await stream[Symbol.asyncIterator]().next();
    stream.destroy();
    await settled();
    const { pages } = list;
    await settled();
    expect(list.pages).toBe(pages);
  });

  it('fails as its first page does, and later by an error', async () => {
    await expect(exportStream(() => Promise.reject(new Error('first')), jsonLines)).rejects.toThrow('first');
    const list = endlessList();
    const read = () => (list.pages === 1 ? Promise.reject(new Error('second')) : list.read());
    const stream = await exportStream(read, jsonLines);
    await expect(stream.toArray()).rejects.toThrow('second');
  });
});

describe('places of exports', () => {
  const refused = expect.objectContaining({ status: 429 });

  it('are one a credential and four in all', () => {
    const slots = new ExportSlots();
    const own = slots.take('a');
    expect(() => slots.take('a')).toThrow(refused as never);
    for (const other of ['b', 'c', 'd']) slots.take(other);
    expect(() => slots.take('e')).toThrow(refused as never);
    own.free();
    slots.take('e');
  });

  it('are free when their stream is closed, and cut where the service stops', async () => {
    const slots = new ExportSlots();
    const stream = slots.take('a').serve(Readable.from(['x']));
    stream.destroy();
    await once(stream, 'close');
    const other = slots.take('a').serve(Readable.from(['x']));
    const failed = once(other, 'error');
    slots.onModuleDestroy();
    await failed;
    expect(() => slots.take('b')).toThrow(refused as never);
  });
});
