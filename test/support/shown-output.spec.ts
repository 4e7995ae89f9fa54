import { describe, expect, it } from '@jest/globals';
import { missingLine } from './shown-output.ts';

const real = 'Exported   12 records\r\nmatches    the log\nFingerprint ab.c\n';

describe('the output that a page shows', () => {
  it.each([
    ['Exported   … records\nFingerprint …'],
    ['Exported   12 records\n…\nFingerprint ab.c'],
    ['matches    the log'],
    ['…'],
  ])('matches the output of a command: %j', (shown) => {
    expect(missingLine(shown, real)).toBeNull();
  });

  it.each([
    ['Exported   … bytes', 'Exported   … bytes'],
    ['Fingerprint …\nExported   … records', 'Exported   … records'],
    ['matches    the log\nmatches    the log', 'matches    the log'],
    ['Fingerprint abxc', 'Fingerprint abxc'],
    ['matches', 'matches'],
  ])('is not, detected by its first missing line: %j', (shown, line) => {
    expect(missingLine(shown, real)).toBe(line);
  });
});
