import { describe, expect, it } from '@jest/globals';
import { AboveEndError } from '../event-log.ts';
import type { FetchedPartition } from './committed-records.ts';
import { FETCH_BYTES_MAX, FETCH_BYTES_MIN } from './limits.ts';
import { PartitionFeed } from './partition-feed.ts';

const BOUNDS = { recordsMax: 10, bytesMax: 10_000_000 };

const fetched = (offsets: number[], bytes = 1, lastStableOffset = 1_000): FetchedPartition => ({
  partition: 0,
  lastStableOffset: `${lastStableOffset}`,
  abortedTransactions: null,
  messages: offsets.map((offset) => ({
    offset: `${offset}`,
    key: null,
    value: Buffer.alloc(bytes),
    headers: {},
    timestamp: '0',
    isControlRecord: false,
    batchContext: { firstOffset: `${offset}`, lastOffsetDelta: 0, producerId: '-1', inTransaction: false },
  })),
});
const started = (offset: number) => {
  const feed = new PartitionFeed(0, () => undefined);
  feed.seek(offset);
  return feed;
};
const offsetsOf = async (feed: PartitionFeed) => (await feed.take(BOUNDS)).map(({ offset }) => offset);

describe('PartitionFeed', () => {
  it('fetches nothing before it gets its start offset, or after it is closed', async () => {
    const feed = new PartitionFeed(0, () => undefined);
    expect([feed.request(), feed.wantsSoon]).toEqual([undefined, true]);
    feed.seek(5);
    expect([feed.request()?.from, feed.wantsSoon]).toEqual([5, false]);
    feed.close();
    expect([feed.request(), feed.wantsSoon, await feed.take(BOUNDS)]).toEqual([undefined, false, []]);
  });

  it('drops responses to requests from before a seek, and fetched records', async () => {
    const feed = started(5);
    const stale = feed.request()!;
    feed.accept(stale, fetched([5, 6]));
    const staler = feed.request()!;
    feed.seek(2);
    feed.accept(staler, fetched([7, 8]));
    feed.accept(feed.request()!, fetched([2, 3]));
    expect(await offsetsOf(feed)).toEqual([2, 3]);
  });

  it('gives out what was fetched before a failure', async () => {
    const feed = started(0);
    feed.accept(feed.request()!, fetched([0, 1]));
    feed.fail(feed.request()!, new Error('the batch at offset 2 is damaged'));
    expect(feed.request()).toBeUndefined();
    expect(await offsetsOf(feed)).toEqual([0, 1]);
    await expect(feed.take(BOUNDS)).rejects.toThrow('the batch at offset 2 is damaged');
  });

  it('drops the second answer to one question', async () => {
    const feed = started(0);
    const request = feed.request()!;
    feed.accept(request, fetched([0, 1]));
    feed.accept(request, fetched([0, 1]));
    expect(await offsetsOf(feed)).toEqual([0, 1]);
    expect(feed.request()?.from).toBe(2);
  });

  it('reads no further than it is emptied', async () => {
    const feed = started(0);
    feed.accept(feed.request()!, fetched([0], 1024 * 1024));
    expect([feed.request(), feed.wantsSoon]).toEqual([undefined, true]);
    await feed.take(BOUNDS);
    expect(feed.request()?.from).toBe(1);
  });

  it('buffers at most 2,000 records that were not taken, however small', async () => {
    const feed = started(0);
    const offsets = Array.from({ length: 2_000 }, (_, offset) => offset);
    feed.accept(feed.request()!, fetched(offsets.slice(0, 1_999), 1, 5_000));
    expect(feed.wantsSoon).toBe(false);
    feed.accept(feed.request()!, fetched([1_999], 1, 5_000));
    expect([feed.request(), feed.wantsSoon]).toEqual([undefined, true]);
    expect(await offsetsOf(feed)).toEqual(offsets.slice(0, 10));
    expect(feed.request()?.from).toBe(2_000);
  });

  it('asks for nothing while it pauses, unless a seek comes', () => {
    const feed = started(0);
    const request = feed.request()!;
    feed.pause({ ...request, from: 7 }, 60_000);
    expect(feed.request()).toEqual(request);
    feed.pause(request, 60_000);
    expect([feed.request(), feed.wantsSoon]).toEqual([undefined, false]);
    feed.seek(3);
    expect(feed.request()?.from).toBe(3);
  });

  it('throws once that the log ends before its offset, and waits there after a seek', async () => {
    const above = new AboveEndError('the log ends at 3');
    const feed = started(5);
    feed.waitAboveEnd(feed.request()!, above, 60_000);
    await expect(feed.take(BOUNDS)).rejects.toBe(above);
    feed.seek(5);
    const again = feed.request()!;
    feed.waitAboveEnd(again, above, 60_000);
    expect(feed.request()).toBeUndefined();
    feed.accept(again, fetched([5]));
    expect(await offsetsOf(feed)).toEqual([5]);
  });

  it('requests more bytes if a batch is larger than requested, up to a limit', () => {
    const feed = started(0);
    expect(feed.request()!.bytesMax).toBe(FETCH_BYTES_MIN);
    for (let i = 0; i < 10; i++) feed.accept(feed.request()!, fetched([]));
    expect(feed.request()!.bytesMax).toBe(FETCH_BYTES_MAX);
    feed.accept(feed.request()!, fetched([0]));
    expect(feed.request()!.bytesMax).toBe(FETCH_BYTES_MIN);
    feed.accept(feed.request()!, fetched([], 1, 1));
    expect(feed.request()!.bytesMax).toBe(FETCH_BYTES_MIN);
  });

  it('throws its failure, and requests nothing more', async () => {
    const feed = started(0);
    const taking = feed.take(BOUNDS);
    feed.fail(feed.request()!, new Error('records are missing'));
    await expect(taking).rejects.toThrow('records are missing');
    expect(feed.request()).toBeUndefined();
  });

  it('continues after a failure if a seek comes, and ignores failures of requests before it', async () => {
    const feed = started(0);
    const stale = feed.request()!;
    feed.fail(stale, new Error('records are missing'));
    feed.seek(7);
    feed.fail(stale, new Error('records are missing'));
    feed.accept(feed.request()!, fetched([7]));
    expect(await offsetsOf(feed)).toEqual([7]);
  });
});
