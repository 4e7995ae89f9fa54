import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '#libs/config';
import { until } from '../../../test/support/until.ts';
import { WaitingRows } from './waiting-rows.ts';

interface Row {
  name: string;
  count: number;
}

describe('rows that wait', () => {
  let written: Row[][];
  let isDown: boolean;
  let warnings: unknown[][];
  let rounds: number;

  beforeEach(() => {
    [written, isDown, warnings, rounds] = [[], false, [], 0];
  });

  const rowsOf = (max: number) =>
    new WaitingRows<Row>({
      what: 'counts',
      intervalMs: 1,
      max,
      keyOf: ({ name }) => name,
      add: (waiting, { count }) => {
        waiting.count += count;
      },
      write: async (rows) => {
        rounds += 1;
        if (isDown) throw new Error('down');
        written.push(rows);
      },
      logger: { warn: (...given: unknown[]) => warnings.push(given) } as unknown as Logger,
    });
  const one = (name: string): Row => ({ name, count: 1 });

  it('are written with alike ones as one row', async () => {
    const rows = rowsOf(10);
    for (const name of ['a', 'b', 'a']) rows.take(one(name));
    await rows.start();
    await rows.stop();
    expect(written).toEqual([
      [
        { name: 'a', count: 2 },
        { name: 'b', count: 1 },
      ],
    ]);
  });

  it('are kept while writing fails, with rows that arrive until then; dropped ones are counted', async () => {
    const rows = rowsOf(2);
    isDown = true;
    rows.take(one('a'));
    await rows.start();
    for (const name of ['a', 'b', 'c', 'd']) rows.take(one(name));
    await until('more rounds', async () => rounds > 3);
    isDown = false;
    await rows.stop();
    expect(written).toEqual([
      [
        { name: 'a', count: 2 },
        { name: 'b', count: 1 },
      ],
    ]);
    expect(warnings).toEqual([
      [{ err: new Error('down') }, 'storing counts failed'],
      [{ lost: 2 }, 'counts dropped: too many wait'],
    ]);
  });
});
