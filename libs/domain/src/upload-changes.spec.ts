import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Change } from './fold/effects.ts';
import type { UploadChanges } from './state.ts';
import { addUploadChange, kindsOf, noUploadChanges } from './upload-changes.ts';

const change = (given: object): Change =>
  ({ kind: 'finding', change: 'created', from: null, to: 'Failed', reason: null, ...given }) as Change;

function changesAt(sequences: readonly number[]): UploadChanges {
  const changes = noUploadChanges();
  for (const sequence of sequences) addUploadChange(changes, change({}), sequence);
  return changes;
}

/** Bounds as pairs. */
const runsOf = (bounds: readonly number[]): [number, number][] =>
  bounds.flatMap((first, i) => (i % 2 === 0 ? [[first, bounds[i + 1]!] as [number, number]] : []));

describe('the changes of an upload', () => {
  it('are counted by kind, state and reason', () => {
    const changes = noUploadChanges();
    addUploadChange(changes, change({}), 1);
    addUploadChange(
      changes,
      change({ change: 'retired', from: 'Failed', to: 'Retired', reason: 'replaced' }),
      2,
    );
    addUploadChange(changes, change({}), 3);
    addUploadChange(changes, { kind: 'asset', change: 'updated' } as Change, 1);
    expect(kindsOf(changes)).toEqual([
      { kind: 'finding', change: 'created', from: null, to: 'Failed', reason: null, count: 2 },
      { kind: 'finding', change: 'retired', from: 'Failed', to: 'Retired', reason: 'replaced', count: 1 },
      { kind: 'asset', change: 'updated', from: null, to: null, reason: null, count: 1 },
    ]);
    expect([changes.findings, changes.assets]).toEqual([
      [1, 3],
      [1, 1],
    ]);
  });

  it('of uploads without concurrent ones are one run', () => {
    expect(changesAt([7, 8, 9]).findings).toEqual([7, 9]);
  });

  it('keep a late part as a run of its own, whatever came before', () => {
    const interleaved = Array.from({ length: 100 }, (_, i) => 3 * i + 1);
    expect(runsOf(changesAt([...interleaved, 1_000_000]).findings).at(-1)).toEqual([1_000_000, 1_000_000]);
  });

  it('are in at most eight runs, each beginning and ending with a change of the upload', () => {
    const steps = fc.array(fc.nat(20), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(steps, (gaps) => {
        let sequence = 0;
        const sequences = gaps.map((gap) => {
          sequence += gap + 1;
          return sequence;
        });
        const runs = runsOf(changesAt(sequences).findings);
        expect(runs.length).toBeLessThanOrEqual(8);
        for (const one of sequences) {
          expect(runs.filter(([first, last]) => first <= one && one <= last)).toHaveLength(1);
        }
        for (const bounds of runs) expect(sequences).toEqual(expect.arrayContaining(bounds));
        expect(runs.flat()).toEqual(runs.flat().toSorted((a, b) => a - b));
      }),
    );
  });
});
