import { expect, it } from '@jest/globals';
import { Tally } from './tally.ts';

it('distinguishes throttled requests from failed ones', () => {
  const tally = new Tally();
  expect(tally.answered('upload', 200, '/a')).toBe(true);
  expect(tally.answered('upload', 429, '/a')).toBe(false);
  expect(tally.answered('query', 500, '/b')).toBe(false);
  tally.failed('the stream of changes has ended');
  expect(tally).toMatchObject({ busy: 1, failures: 2 });
  expect(tally.errors).toEqual(['query: /b answered 500', 'the stream of changes has ended']);
});

it('keeps few of many errors, and counts them all', () => {
  const tally = new Tally();
  for (let i = 0; i < 1_000; i++) tally.failed(`${i}`);
  expect(tally.failures).toBe(1_000);
  expect(tally.errors).toHaveLength(10);
});

it('gives the latencies of each kind', () => {
  const tally = new Tally();
  for (let ms = 1; ms <= 200; ms++) tally.took('query', ms);
  tally.took('upload', 7);
  expect(tally.latencies).toEqual([
    { kind: 'query', count: 200, p50: 100, p99: 198, max: 200 },
    { kind: 'upload', count: 1, p50: 7, p99: 7, max: 7 },
  ]);
});
