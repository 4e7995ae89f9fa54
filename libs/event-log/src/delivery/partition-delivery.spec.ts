import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import { AboveEndError, type BatchHandler, RecordsGoneError, type StoredRecord } from '../event-log.ts';
import { DEFAULT_BOUNDS } from './batch-bounds.ts';
import { PartitionDelivery, type PartitionSource } from './partition-delivery.ts';
import { WakeUp } from './wake-up.ts';

const END = 6;
const BATCH = 2;

/** Records 0 to 5, two at a time. */
class Source implements PartitionSource {
  readonly seeks: number[] = [];
  isClosed = false;
  /** Records before it are removed. */
  begin = 0;
  /** Thrown by the next `take`. */
  failure: Error | undefined;
  private next = 0;
  private readonly news = new WakeUp();

  seek(offset: number): void {
    this.seeks.push(offset);
    this.next = offset;
  }

  async ready(): Promise<void> {
    while (!this.isClosed && this.next === END) await this.news.wait();
  }

  async take(): Promise<StoredRecord[]> {
    if (this.isClosed) return [];
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure;
    if (this.next < this.begin) throw new RecordsGoneError(`records before ${this.begin} are removed`);
    this.next += BATCH;
    return [this.next - BATCH, this.next - 1].map((offset) => ({ offset }) as StoredRecord);
  }

  close(): void {
    this.isClosed = true;
    this.news.ring();
  }
}

function started(handler: Partial<BatchHandler>, slots = pLimit(1)) {
  const source = new Source();
  const [batches, revoked, failures]: [number[][], number[], string[]] = [[], [], []];
  const delivery = new PartitionDelivery({
    partition: 7,
    source,
    bounds: DEFAULT_BOUNDS,
    slots,
    onFailed: ({ message }) => failures.push(message),
    handler: {
      assigned: async () => 0,
      revoked: async (partition) => void revoked.push(partition),
      ...handler,
      batch: async (records) => {
        batches.push(records.map(({ offset }) => offset));
        return (await handler.batch?.(records)) ?? records.at(-1)!.offset + 1;
      },
    },
  });
  return { source, delivery, batches, revoked, failures };
}

const settled = async () => {
  for (let i = 0; i < 50; i++) await setImmediate();
};

describe('the delivery of a partition', () => {
  it('starts at the offset of the handler, and continues batch by batch', async () => {
    const { source, delivery, batches, revoked } = started({ assigned: async () => 2 });
    await settled();
    expect([batches, delivery.position, source.seeks]).toEqual([
      [
        [2, 3],
        [4, 5],
      ],
      6,
      [2],
    ]);
    await Promise.all([delivery.stop(), delivery.stop()]);
    expect(revoked).toEqual([7]);
  });

  it('has the position of the handler before the first batch', async () => {
    const { delivery, batches } = started({ assigned: async () => END });
    expect(delivery.position).toBeUndefined();
    await settled();
    expect([delivery.position, batches]).toEqual([END, []]);
    await delivery.stop();
  });

  it('continues at the offset that the handler returns', async () => {
    let isFirst = true;
    const { source, delivery, batches } = started({
      batch: async () => {
        const next = isFirst ? 4 : 6;
        isFirst = false;
        return next;
      },
    });
    await settled();
    expect([batches, source.seeks]).toEqual([
      [
        [0, 1],
        [4, 5],
      ],
      [0, 4],
    ]);
    await delivery.stop();
  });

  it.each<[string, Partial<BatchHandler>]>([
    ['a batch', { batch: () => Promise.reject(new Error('a bug')) }],
    ['the assignment', { assigned: () => Promise.reject(new Error('a bug')) }],
  ])('stops if %s fails, and closes its source', async (_, handler) => {
    const { source, delivery, batches, revoked, failures } = started(handler);
    await settled();
    expect([source.isClosed, failures, revoked]).toEqual([true, ['a bug'], []]);
    expect(batches.length).toBeLessThan(2);
    await delivery.stop();
    expect([failures, revoked]).toEqual([['a bug'], [7]]);
  });

  it('asks the handler where to continue if records are removed before they are read', async () => {
    let begin = 0;
    const { source, delivery, batches, revoked, failures } = started({
      assigned: async () => begin,
      batch: async (records) => {
        begin = source.begin = 4;
        return records.at(-1)!.offset + 1;
      },
    });
    await settled();
    expect([batches, revoked, failures, delivery.position]).toEqual([
      [
        [0, 1],
        [4, 5],
      ],
      [7],
      [],
      END,
    ]);
    await delivery.stop();
  });

  it('stops if the handler needs records that are removed', async () => {
    const { source, delivery, failures, revoked } = started({
      assigned: async () => 0,
      batch: async () => {
        source.begin = 4;
        return 0;
      },
    });
    await settled();
    expect([source.isClosed, failures, revoked]).toEqual([true, ['records before 4 are removed'], [7]]);
    await delivery.stop();
    expect(revoked).toEqual([7, 7]);
  });

  it.each([
    ['elsewhere, if the handler says so', 4, [[4, 5]]],
    [
      'at the same offset otherwise',
      2,
      [
        [2, 3],
        [4, 5],
      ],
    ],
  ])('asks the handler if the log ends before its offset, and continues %s', async (_, then, expected) => {
    const starts = [2, then];
    const { source, delivery, batches, revoked, failures } = started({
      assigned: async () => starts.shift()!,
    });
    source.failure = new AboveEndError('the log ends at 1');
    await settled();
    expect([batches, source.seeks, revoked, failures]).toEqual([expected, [2, then], [7], []]);
    await delivery.stop();
  });

  it('stops if the handler finds that records which it has read are lost', async () => {
    const starts = [2];
    const { source, delivery, failures } = started({
      assigned: async () => {
        if (starts.length === 0) throw new Error('the log ends at 1');
        return starts.shift()!;
      },
    });
    source.failure = new AboveEndError('the log ends before');
    await settled();
    expect([source.isClosed, failures]).toEqual([true, ['the log ends at 1']]);
    await delivery.stop();
  });

  it('waits for the current batch when it is stopped', async () => {
    let finish = () => {};
    const atHand = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { delivery, batches, revoked } = started({ batch: () => atHand.then(() => 2) });
    await settled();
    const stopped = delivery.stop();
    await settled();
    expect(revoked).toEqual([]);
    finish();
    await stopped;
    expect([batches, revoked]).toEqual([[[0, 1]], [7]]);
  });

  it('delivers nothing if it is stopped while it waits for a slot', async () => {
    const slots = pLimit(1);
    let release = () => {};
    void slots(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const { delivery, batches, revoked } = started({}, slots);
    await settled();
    const stopped = delivery.stop();
    release();
    await stopped;
    expect([batches, revoked]).toEqual([[], [7]]);
  });
});
