import { describe, expect, it } from '@jest/globals';
import { arrayLiteral, bareLiteral } from './array-literal.ts';

describe('the literal of an array', () => {
  it('quotes each text, so that quotes, backslashes, braces and commas in it stay', () => {
    expect(arrayLiteral(['a', 'b "c"', String.raw`d\e`, String.raw`\"`, '{,}', ''])).toBe(
      String.raw`{"a","b \"c\"","d\\e","\\\"","{,}",""}`,
    );
    expect(arrayLiteral([])).toBe('{}');
  });

  it('has null as NULL, and the text NULL in quotes', () => {
    expect(arrayLiteral([null, 'NULL', ''])).toBe('{NULL,"NULL",""}');
  });

  it('contains numbers, booleans and ids unquoted, and null as NULL', () => {
    expect(bareLiteral([1, -0.5, true, 'id', null])).toBe('{1,-0.5,true,id,NULL}');
  });
});
