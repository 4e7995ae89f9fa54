import { describe, expect, it } from '@jest/globals';
import { ALL_ROWS, NO_ROWS, type RowLimits } from '#libs/tables';
import { grantedRows, withLimits } from './granted-rows.ts';
import type { AddRowLimitsDto } from './row-limits.dto.ts';

const SALES: RowLimits = { departments: ['Sales', 'Support'], locations: null };

describe('granted rows', () => {
  it.each<[AddRowLimitsDto, RowLimits, RowLimits]>([
    [{}, ALL_ROWS, ALL_ROWS],
    [{}, SALES, SALES],
    [{ locations: ['Berlin'] }, SALES, { departments: ['Sales', 'Support'], locations: ['Berlin'] }],
    [{ departments: ['Sales'] }, SALES, { departments: ['Sales'], locations: null }],
    [{ departments: ['Sales'] }, ALL_ROWS, { departments: ['Sales'], locations: null }],
  ])('of %j by a caller with %j are %j', (given, own, granted) => {
    expect(grantedRows(given, own)).toEqual(granted);
  });

  it('are no others than those of the caller', () => {
    expect(() => grantedRows({ departments: ['Sales', 'Finance'] }, SALES)).toThrow(
      'yours is limited to the departments Sales, Support',
    );
  });

  it.each<[string, RowLimits, string]>([
    ['viewer', ALL_ROWS, 'viewer'],
    ['viewer', SALES, 'viewer (limited to the departments Sales, Support)'],
    [
      'viewer',
      { departments: ['Sales'], locations: [] },
      'viewer (limited to the departments Sales and no locations)',
    ],
    ['', NO_ROWS, 'no access'],
    ['', ALL_ROWS, 'no access'],
  ])('are shown in the audit trail: %j with %j', (role, limits, shown) => {
    expect(withLimits(role, limits)).toBe(shown);
  });
});
