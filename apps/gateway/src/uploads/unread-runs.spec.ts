import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Run, takeRuns, unreadRuns } from './unread-runs.ts';

const PARTITIONS = [
  { partition: 0, changes: { findings: [3, 5, 9, 9], assets: [1, 2], counts: {} } },
  { partition: 4, changes: { findings: [7, 20], assets: [], counts: {} } },
];
const KINDS = ['asset', 'finding'] as const;

/** As `kind partition first last`. */
const written = (runs: readonly Run[]) =>
  runs.map(({ kind, partition, first, last }) => `${kind} ${partition} ${first} ${last}`);

const placesOf = (runs: readonly Run[]) =>
  runs.flatMap(({ kind, partition, first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => ({ kind, partition, sequence: first + i })),
  );

describe('runs to read', () => {
  it('are assets, then findings, by partition', () => {
    expect(written(unreadRuns(PARTITIONS, KINDS, null))).toEqual([
      'asset 0 1 2',
      'finding 0 3 5',
      'finding 0 9 9',
      'finding 4 7 20',
    ]);
    expect(written(unreadRuns(PARTITIONS, ['asset'], null))).toEqual(['asset 0 1 2']);
  });

  it('begin at any place: pages of any size contain each once', () => {
    const places = placesOf(unreadRuns(PARTITIONS, KINDS, null));
    for (const [i, place] of places.entries()) {
      expect(placesOf(unreadRuns(PARTITIONS, KINDS, place))).toEqual(places.slice(i));
    }
    expect(written(unreadRuns(PARTITIONS, KINDS, { kind: 'finding', partition: 1, sequence: 1 }))).toEqual([
      'finding 4 7 20',
    ]);
  });
});

it('a step takes at most its span, of one kind, and leaves the rest', () => {
  const lengths = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 12 }), (given, span) => {
      const runs = given
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, length], i): Run => ({ kind, partition: i, first: 10, last: 9 + length }));
      const { taken, left } = takeRuns(runs, span);
      const places = placesOf(taken);
      expect([...places, ...placesOf(left)]).toEqual(placesOf(runs));
      expect(places.length).toBeGreaterThan(0);
      expect(places.length).toBeLessThanOrEqual(span);
      expect(new Set(places.map(({ kind }) => kind)).size).toBe(1);
      if (places.length < span && left.length > 0) expect(left[0]!.kind).not.toBe(taken[0]!.kind);
    }),
  );
});
