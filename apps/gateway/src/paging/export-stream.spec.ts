import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Reader } from '../auth/caller.ts';
import { jsonLines } from './export-format.ts';
import { ExportSlots } from './export-slots.ts';
import { exportStream } from './export-stream.ts';

const readerOf = (credentialId: string, signal: AbortSignal): Reader => ({ credentialId, signal });

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

/** All work that does not wait for the client is done. */
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
  const endless = async () => new Readable({ read: () => undefined });
  const start = (slots: ExportSlots, credentialId: string, access = new AbortController()) =>
    slots.start(readerOf(credentialId, access.signal), endless);

  it('are one a credential and four in all', async () => {
    const slots = new ExportSlots();
    const own = await start(slots, 'a');
    await expect(start(slots, 'a')).rejects.toEqual(refused);
    for (const other of ['b', 'c', 'd']) await start(slots, other);
    await expect(start(slots, 'e')).rejects.toEqual(refused);
    own.destroy();
    await once(own, 'close');
    await start(slots, 'e');
  });

  it('are closed with the access of their caller, and when the service stops', async () => {
    const slots = new ExportSlots();
    const access = new AbortController();
    const stream = await start(slots, 'a', access);
    const cut = once(stream, 'close').catch((error: unknown) => error);
    access.abort();
    await cut;
    await expect(start(slots, 'a', access)).rejects.toBe(access.signal.reason);
    const other = await start(slots, 'a');
    const failed = once(other, 'error');
    slots.onModuleDestroy();
    await failed;
    await expect(start(slots, 'b')).rejects.toEqual(refused);
  });
});
