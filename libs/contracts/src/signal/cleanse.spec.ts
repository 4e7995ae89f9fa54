import { describe, expect, it } from '@jest/globals';
import { cleanse } from './cleanse.ts';

const cleansed = (json: string) => cleanse(JSON.parse(json));

describe('cleanse (D18, D21)', () => {
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

  it('U+0000 and lone surrogates become U+FFFD in values and keys, pairs stay', () => {
    const json = String.raw`{"a\u0000b": "x\u0000y", "c\ud800": ["\udc00z", "\ud83d\ude00"]}`;
    expect(cleansed(json)).toEqual({ 'a\ufffdb': 'x\ufffdy', 'c\ufffd': ['\ufffdz', '😀'] });
  });

  it('texts that cannot hold such characters are not looked at', () => {
    const value = { a: '\0' };
    expect(cleanse(value, false)).toEqual({ a: '\0' });
  });
});
