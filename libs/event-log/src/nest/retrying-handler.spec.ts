import { expect, it } from '@jest/globals';
import { RetryingHandler } from './retrying-handler.ts';

const RECORD = { key: 'k', value: Buffer.from('v'), partition: 3, offset: 7, headers: {}, storedAt: 0 };

it('reports a waiting partition once, until one of its batches succeeds', async () => {
  let failures = 2;
  const told: string[] = [];
  const handler = new RetryingHandler(
    {
      assigned: async () => 7,
      revoked: async () => {},
      batch: async () => {
        if (failures-- > 0) throw new Error('the disk is full');
        return 8;
      },
    },
    {
      isTransient: () => true,
      onWaiting: (partition, { message }) => told.push(`${partition}: ${message}`),
      stopping: new AbortController().signal,
    },
  );
  expect(await handler.assigned(3)).toBe(7);
  for (const next of [7, 7, 8]) expect(await handler.batch([RECORD])).toBe(next);
  expect(told).toEqual(['3: the disk is full']);
  failures = 1;
  for (const next of [7, 8]) expect(await handler.batch([RECORD])).toBe(next);
  expect(told).toHaveLength(2);
});
