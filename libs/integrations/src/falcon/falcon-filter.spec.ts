import { describe, expect, it } from '@jest/globals';
import { alertFilter, changedBefore, falconFilter, tagFilterLength } from './falcon-filter.ts';

describe('the filter of a pull', () => {
  const since = Date.parse('2026-03-01T12:00:00.000Z');

  it.each([
    [{ since: null }, ''],
    [{ since }, "modified_timestamp:>='2026-03-01T12:00:00.000Z'"],
    [{ since: null, tagFilters: ['x'] }, "tags:['x','FalconGroupingTags/x','SensorGroupingTags/x']"],
    [
      { since, tagFilters: ["o'x"] },
      "tags:['o\\'x','FalconGroupingTags/o\\'x','SensorGroupingTags/o\\'x']+modified_timestamp:>='2026-03-01T12:00:00.000Z'",
    ],
  ])('%j is %s (R-EDR-4)', (given, filter) => {
    expect(falconFilter({ changedField: 'modified_timestamp', ...given })).toBe(filter);
  });

  it('is measured as encoded in the address', () => {
    const filter = falconFilter({ changedField: 'modified_timestamp', since: null, tagFilters: ['ä b'] });
    expect(tagFilterLength(['ä b'])).toBe(`${new URLSearchParams({ filter })}`.length);
  });

  it('of alerts has the open ones besides, whenever they changed', () => {
    expect(alertFilter('updated_timestamp', null)).toBe('');
    expect(alertFilter('updated_timestamp', since)).toBe(
      "updated_timestamp:>='2026-03-01T12:00:00.000Z',status:['new','in_progress','reopened']",
    );
  });

  it.each([
    ['', "t:<'2026-03-01T12:00:00.000Z'"],
    ["a:'1',b:'2'", "(a:'1',b:'2')+t:<'2026-03-01T12:00:00.000Z'"],
  ])('%j is limited to what changed before an instant: %s', (filter, limited) => {
    expect(changedBefore(filter, 't', since)).toBe(limited);
  });
});
