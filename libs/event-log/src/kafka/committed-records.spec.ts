import { describe, expect, it } from '@jest/globals';
import {
  committedRecords,
  type FetchedMessage,
  type FetchedMessages,
  type FetchedPartition,
} from './committed-records.ts';

const COMMIT = Buffer.from([0, 0, 0, 1]);
const ABORT = Buffer.from([0, 0, 0, 0]);

/** A message, by default the only one of its batch. */
const message = (
  offset: number,
  others: Partial<FetchedMessage> & { producer?: string } = {},
): FetchedMessage => ({
  offset: `${offset}`,
  key: Buffer.from('k'),
  value: Buffer.from(`${offset}`),
  headers: {},
  timestamp: '1700000000000',
  isControlRecord: false,
  batchContext: {
    firstOffset: `${offset}`,
    lastOffsetDelta: 0,
    producerId: others.producer ?? '-1',
    inTransaction: others.producer !== undefined,
  },
  ...others,
});
const end = (offset: number, producer: string, key: Buffer) =>
  message(offset, { producer, key, isControlRecord: true });
const fetched = (
  messages: FetchedMessages,
  abortedTransactions: FetchedPartition['abortedTransactions'] = null,
): FetchedPartition => ({ partition: 3, lastStableOffset: '100', abortedTransactions, messages });
const offsets = (partition: FetchedPartition, from = 0) =>
  committedRecords(partition, from).records.map(({ offset }) => offset);

describe('committedRecords', () => {
  it('gives records as the port does; no key, no value and repeated headers too', () => {
    const headers = {
      a: Buffer.from('1'),
      b: [Buffer.from('2'), Buffer.from('3')],
      // As kafkajs reads a value that is null.
      c: null as never,
      d: [Buffer.from('4'), null as never],
    };
    const { records, next } = committedRecords(fetched([message(7, { key: null, value: null, headers })]), 7);
    expect(records).toEqual([
      {
        partition: 3,
        offset: 7,
        key: '',
        value: Buffer.alloc(0),
        headers: { a: '1', b: '3', c: '', d: '' },
        storedAt: 1_700_000_000_000,
      },
    ]);
    expect(next).toBe(8);
  });

  it('gives the records before a damaged batch, and fails at it', () => {
    const damaged = Object.assign([message(4), message(5)], { damage: new Error('damaged at 6') });
    expect(committedRecords(fetched(damaged), 4)).toMatchObject({
      records: [{ offset: 4 }, { offset: 5 }],
      next: 6,
    });
    const nothing: FetchedMessages = Object.assign([], { damage: new Error('damaged at 6') });
    expect(() => committedRecords(fetched(nothing), 6)).toThrow('damaged at 6');
  });

  it('drops records before the offset in the same batch', () => {
    expect(offsets(fetched([message(4), message(5), message(6)]), 5)).toEqual([5, 6]);
  });

  it('stays unchanged when nothing was fetched', () => {
    expect(committedRecords(fetched([]), 9)).toEqual({ records: [], next: 9 });
  });

  it('continues after a batch whose last records were compacted away', () => {
    const batch = { firstOffset: '10', lastOffsetDelta: 9, producerId: '-1', inTransaction: false };
    expect(committedRecords(fetched([message(12, { batchContext: batch })]), 10).next).toBe(20);
  });

  it('skips markers, and continues after them', () => {
    const { records, next } = committedRecords(
      fetched([message(0, { producer: 'a' }), end(1, 'a', COMMIT)]),
      0,
    );
    expect(records.map(({ offset }) => offset)).toEqual([0]);
    expect(next).toBe(2);
  });

  it('skips aborted transactions, between committed ones and before the next one of the same producer', () => {
    const messages = [
      message(0, { producer: 'a' }),
      message(1, { producer: 'b' }),
      message(2),
      end(3, 'a', ABORT),
      message(4, { producer: 'a' }),
      end(5, 'b', COMMIT),
      end(6, 'a', COMMIT),
      message(7, { producer: 'b' }),
      end(8, 'b', ABORT),
    ];
    const aborted = [
      { producerId: 'b', firstOffset: '7' },
      { producerId: 'a', firstOffset: '0' },
    ];
    expect(offsets(fetched(messages, aborted))).toEqual([1, 2, 4]);
  });

  it('knows a transaction that was aborted though it began before the fetch', () => {
    const messages = [message(50, { producer: 'a' }), end(51, 'a', ABORT)];
    expect(offsets(fetched(messages, [{ producerId: 'a', firstOffset: '20' }]), 50)).toEqual([]);
  });
});
