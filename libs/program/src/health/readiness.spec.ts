import { expect, it } from '@jest/globals';
import { checkAll } from './readiness.ts';

it('says of a dependency that does not answer that it does not', async () => {
  const silent = () => new Promise(() => {});
  const { dependencies, failures } = await checkAll({ checks: { database: silent, log: async () => [] } });
  expect(dependencies).toEqual({ database: 'down', log: 'up' });
  expect(failures.database!.message).toBe('no answer within 2 seconds');
});
