import { describe, expect, it } from '@jest/globals';
import { readPath, STEPS_MAX } from './map-path.ts';

const step = (name: string | null, pick: unknown = 'first') => ({ name, pick });

describe('a path of a map', () => {
  it.each([
    ['.', 0, []],
    ['a', 0, [step('a')]],
    ['a.b', 0, [step('a'), step('b')]],
    ['a[].b', 0, [step('a', 'all'), step('b')]],
    ['a[2]', 0, [step('a', 2)]],
    ['a[@type=ipv4].@addr', 0, [step('a', { field: '@type', text: 'ipv4' }), step('@addr')]],
    ['a[Version=3.1].x', 0, [step('a', { field: 'Version', text: '3.1' }), step('x')]],
    ["'CVSS v3.0 Base Score'", 0, [step('CVSS v3.0 Base Score')]],
    ["'it''s'.a", 0, [step("it's"), step('a')]],
    ['Plugin ID', 0, [step('Plugin ID')]],
    ['a.*.b', 0, [step('a'), step(null, 'all'), step('b')]],
    ['^', 1, []],
    ['^.a', 1, [step('a')]],
    ['^.^.a', 2, [step('a')]],
    ['$.a.b', 'document', [step('a'), step('b')]],
  ])('%s', (text, from, steps) => {
    expect(readPath(text)).toEqual({ text, from, steps });
  });

  it.each(['', '$', '..', 'a.', 'a..b', 'a[', 'a]', 'a[x]', 'a{', '^a', "'a", 'a[b=c', '$.'])(
    '%s is none',
    (text) => {
      expect(readPath(text)).toBeNull();
    },
  );

  it('has at most 20 steps', () => {
    const path = (steps: number) => Array.from({ length: steps }, () => 'a').join('.');
    expect(readPath(path(STEPS_MAX))?.steps).toHaveLength(20);
    expect(readPath(path(STEPS_MAX + 1))).toBeNull();
  });

  it('is read in time proportional to its length', () => {
    const started = process.hrtime.bigint();
    for (const text of ['a['.repeat(5_000), "'".repeat(10_000), '^.'.repeat(5_000), 'a=b'.repeat(3_000)])
      readPath(text);
    expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(1_000);
  });
});
