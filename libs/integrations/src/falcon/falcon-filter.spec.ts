import { describe, expect, it } from '@jest/globals';
import { falconFilter } from './falcon-filter.ts';

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
  ])('%j is %s (D30)', (given, filter) => {
    expect(falconFilter({ changedField: 'modified_timestamp', ...given })).toBe(filter);
  });
});
