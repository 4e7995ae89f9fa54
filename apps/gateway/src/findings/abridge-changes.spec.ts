import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ABRIDGED, abridgeChanges } from './abridge-changes.ts';
import type { FieldChange } from './finding-difference.ts';

const change = (before: unknown, after: unknown, given: Partial<FieldChange> = {}): FieldChange => ({
  field: 'description',
  key: null,
  before,
  after,
  ...given,
});

const only = (before: unknown, after: unknown) => {
  const { changes, changesLeftOut } = abridgeChanges([change(before, after)]);
  expect([changes.length, changesLeftOut]).toEqual([1, 0]);
  return [changes[0]!.before, changes[0]!.after];
};

describe('abridgeChanges', () => {
  it('does not change values within the bounds', () => {
    const changes = [
      change('a', 'b'),
      change(null, { status: 'Failed', cves: ['CVE-2024-3094'] }, { key: '' }),
    ];
    expect(abridgeChanges(changes)).toEqual({ changes, changesLeftOut: 0 });
  });

  it('cuts a long text and says by how much', () => {
    expect(only(null, 'x'.repeat(5_000))).toEqual([
      null,
      `${'x'.repeat(ABRIDGED.text)}… (${5_000 - ABRIDGED.text} characters more)`,
    ]);
  });

  it('shows two long texts around their difference, also within instances', () => {
    const [before, after] = ['old', 'new'].map((word) => `${'x'.repeat(3_000)}${word}${'y'.repeat(3_000)}`);
    for (const [left, right] of [
      only(before, after),
      only({ evidence: before }, { evidence: after }).map((side) => (side as { evidence: string }).evidence),
    ] as [string, string][]) {
      expect(left).toContain('xold');
      expect(right).toContain('xnew');
      expect(left.length).toBeLessThan(ABRIDGED.text + 50);
    }
  });

  it('shows two long lists from their first difference, and counts the entries before and after', () => {
    const before = Array.from({ length: 80 }, (_, i) => `CVE-2024-${1_000 + i}`);
    const after = before.with(60, 'CVE-2024-0001');
    expect(only(before, after)).toEqual([
      ['… 60 before', ...before.slice(60)],
      ['… 60 before', 'CVE-2024-0001', ...before.slice(61)],
    ]);
    expect(only(before.slice(0, 50), before)).toEqual([
      ['… 50 before'],
      ['… 50 before', ...before.slice(50)],
    ]);
    const [{ cves }] = only({ cves: before, note: 'a' }, { cves: before, note: 'b' }) as [{ cves: string[] }];
    expect(cves).toEqual([...before.slice(0, ABRIDGED.list), '… 30 more']);
  });

  it('shows two different values as different ones', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 2 }),
      fc.string({ maxLength: 2 }).map((end) => 'x'.repeat(3_000) + end),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        texts,
        fc.array(tie('value'), { maxLength: 3 }).map((end) => [...Array(60).fill('same'), ...end]),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value')).map((some) => ({
          ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, 0])),
          ...some,
        })),
      ),
    }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        fc.pre(!isDeepStrictEqual(before, after));
        const [left, right] = only(before, after);
        expect(JSON.stringify(left)).not.toBe(JSON.stringify(right));
      }),
    );
  });

  it('counts omitted list entries and instances', () => {
    const [, list] = only(
      null,
      Array.from({ length: ABRIDGED.list + 7 }, (_, i) => `CVE-${i}`),
    ) as [null, string[]];
    expect([list.length, list.at(-1)]).toEqual([ABRIDGED.list + 1, '… 7 more']);
    const instances = Array.from({ length: ABRIDGED.instances + 3 }, (_, i) =>
      change(null, {}, { key: `${i}` }),
    );
    const { changes, changesLeftOut } = abridgeChanges([change('a', 'b'), ...instances]);
    expect([changes.length, changesLeftOut]).toEqual([ABRIDGED.instances + 1, 3]);
  });

  it('keeps every item within its size, with well-formed texts, and omits only from the end', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 3 }).map((part) => `${part}😀`.repeat(2_000));
    const values = fc.oneof(texts, fc.array(texts, { maxLength: 60 }), fc.dictionary(fc.string(), texts));
    const lists = fc.array(
      fc.record({ field: fc.constant('instances'), key: fc.string(), before: values, after: values }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(lists, (given) => {
        const { changes, changesLeftOut } = abridgeChanges(given);
        expect(changes.length + changesLeftOut).toBe(given.length);
        expect(changes.map(({ key }) => key)).toEqual(given.slice(0, changes.length).map(({ key }) => key));
        const text = JSON.stringify(changes);
        if (changes.length > 1) expect(text.length).toBeLessThan(ABRIDGED.total + 1_000);
        expect(text).not.toMatch(/[^\\]\\ud[89ab]/);
      }),
      { numRuns: 30 },
    );
  });
});
