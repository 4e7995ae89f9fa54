import { describe, expect, it } from '@jest/globals';
import { isTransientError } from './transient-error.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

describe('isTransientError', () => {
  it.each([
    '08006',
    'ECONNRESET',
    '53100',
    '53200',
    '57014',
    '57P01',
    '58030',
    '25006',
    '40001',
    '40P01',
    '55P03',
  ])('is one: %s', (code) => {
    expect(isTransientError(withCode(code))).toBe(true);
  });

  it.each(['23505', '22P02', '42P01', '25P02', 'XX001', 'ENOENT'])('is none: %s', (code) => {
    expect(isTransientError(withCode(code))).toBe(false);
  });

  it('is not one if it is not an error of the database', () => {
    expect(isTransientError(new TypeError('undefined is not a function'))).toBe(false);
    expect(isTransientError(undefined)).toBe(false);
  });
});
