import { describe, expect, it } from '@jest/globals';
import { storable } from './storable.ts';

describe('storable (R-SIG-3)', () => {
  it('has U+FFFD for U+0000 and lone surrogates in values and keys; pairs and all else stay', () => {
    const json = String.raw`{"a\u0000b": "x\u0000y", "c\ud800": ["\udc00z", "\ud83d\ude00"], "d": [null, 1, {}]}`;
    expect(storable(JSON.parse(json))).toEqual({
      'a\ufffdb': 'x\ufffdy',
      'c\ufffd': ['\ufffdz', '😀'],
      d: [null, 1, {}],
    });
  });
});
