import { describe, expect, it } from '@jest/globals';
import { changeJson } from './change-json.ts';

const T0 = Date.UTC(2026, 0, 1);
const ISO = '2026-01-01T00:00:00.000Z';

describe('changeJson', () => {
  it.each(['firstSeen', 'due', 'failedSince', 'settledAt', 'until', 'at', 'deletedAt', 'erasedAt'])(
    'writes the time %s in ISO 8601, and null as it is',
    (name) => {
      expect(JSON.parse(changeJson({ [name]: T0 }))).toEqual({ [name]: ISO });
      expect(JSON.parse(changeJson({ inner: [{ [name]: null }] }))).toEqual({ inner: [{ [name]: null }] });
    },
  );

  it('leaves numbers that are no time, and texts', () => {
    const change = { version: 3, score: 12.5, name: 'due', change: { sequence: T0 }, tags: { due: [ISO] } };
    expect(JSON.parse(changeJson(change))).toEqual(change);
  });
});
