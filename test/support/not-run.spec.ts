import { expect, it } from '@jest/globals';
import { notRun } from './not-run.ts';

const file = (...tests: [status: string, fullName: string][]) => ({
  testResults: tests.map(([status, fullName]) => ({ status, fullName })),
});

it('counts skipped tests by reason, the most frequent first, in one line', () => {
  const line = notRun([
    file(['pending', 'a (skipped: no broker (Java is missing)) one'], ['passed', 'b two']),
    file(['pending', 'c (skipped: no browser) one'], ['pending', 'c (skipped: no browser) two']),
  ]);
  expect(line).toBe('Not run: 2: no browser; 1: no broker (Java is missing)');
});

it('is null if no test has a reason to be skipped', () => {
  expect(notRun([file(['pending', 'left out by its name'], ['passed', 'a (skipped: once) b'])])).toBeNull();
});
