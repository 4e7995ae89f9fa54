import { describe, expect, it } from '@jest/globals';
import type { ChangeEvent } from '#libs/contracts';
import { type ChangeFilter, matchesFilter } from './change-filter.ts';

const change = (from: string | null, state: string, value: number) =>
  ({
    kind: 'finding',
    changed: { type: 'va', state, severity: { value }, change: { from } },
  }) as unknown as ChangeEvent;

describe('a filter of changes', () => {
  it.each<[ChangeFilter, [string | null, string, number], boolean]>([
    [{ severityMin: 7 }, [null, 'Failed', 9.8], true],
    [{ severityMin: 7 }, [null, 'Failed', 5], false],
    [{ severityMin: 7 }, ['Failed', 'Failed', 5], false],
    [{ severityMin: 7 }, ['Failed', 'Qualified', 0], true],
    [{ severityMin: 7 }, ['AcceptedFailed', 'Qualified', 0], true],
    [{ severityMin: 7 }, ['NotAssessed', 'Qualified', 0], true],
    [{ severityMin: 7 }, ['Qualified', 'Retired', 0], false],
    [{ severityMin: 7, states: ['Failed'] }, ['Failed', 'Qualified', 0], true],
    [{ severityMin: 7, states: ['Failed', 'Qualified'] }, ['Failed', 'Qualified', 0], true],
    [{ severityMin: 7, states: ['Qualified'] }, ['Failed', 'Qualified', 0], false],
    [{ states: ['Qualified'] }, ['Failed', 'Retired', 0], false],
    [{ types: ['ca'] }, ['Failed', 'Qualified', 0], false],
  ])('%j: of %j %s', (filter, [from, state, severity], expected) => {
    expect(matchesFilter(filter, change(from, state, severity))).toBe(expected);
  });
});
