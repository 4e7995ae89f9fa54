import { describe, expect, it } from '@jest/globals';
import { cleanse } from './cleanse.ts';

const cleansed = (json: string) => cleanse(JSON.parse(json));

describe('cleanse (R-SIG-2)', () => {
  it.each([
    [
      'null at any depth is absent',
      '{"a": null, "b": {"c": [1, null, {"d": null, "e": 2}]}}',
      { b: { c: [1, { e: 2 }] } },
    ],
    [
      'an empty object is absent, bottom-up',
      '{"a": {}, "b": {"c": {"d": {}}}, "e": [{}, {"f": null}], "g": 1}',
      { e: [], g: 1 },
    ],
    [
      'an empty list, an empty text, 0 and false stay',
      '{"a": [], "b": "", "c": 0, "d": false}',
      { a: [], b: '', c: 0, d: false },
    ],
    ['the object at the top stays', '{"a": null}', {}],
  ])('%s', (_, json, expected) => {
    expect(cleansed(json)).toEqual(expected);
    expect(JSON.stringify(cleansed(json))).toBe(JSON.stringify(expected));
  });
});
