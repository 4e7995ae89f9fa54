import { describe, expect, it } from '@jest/globals';
import { jsonProblem } from './json-problem.ts';

describe('problems of a file that should be one JSON object (issue "Bad input")', () => {
  it.each([
    ["{'name': 1}", 'is not JSON: invalid symbol at line 1, column 2'],
    ['{\n  "a": 1\n  "b": 2\n}', 'is not JSON: comma expected at line 3, column 3'],
    ['{"a": [1', 'is not JSON: close bracket expected at line 1, column 9'],
    ['{} // no', 'is not JSON: invalid comment token at line 1, column 4'],
    ['', 'is not JSON: value expected at line 1, column 1'],
    ['[{}]', 'contains an array; a signal must be an object {…}'],
    ['null', 'contains null; a signal must be an object {…}'],
    ['"text"', 'contains a string; a signal must be an object {…}'],
  ])('%j %s', (text, problem) => {
    expect(jsonProblem(Buffer.from(text))).toBe(problem);
  });

  it('takes an object with and without BOM (R-SIG-1)', () => {
    expect(jsonProblem(Buffer.from('{"a":1}'))).toBeNull();
    expect(jsonProblem(Buffer.from('\uFEFF{"a":1}'))).toBeNull();
  });
});
