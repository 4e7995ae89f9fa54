import { describe, expect, it } from '@jest/globals';
import { RetryLaterException } from '../http/http-errors.ts';
import { SignInFailures } from './sign-in-failures.ts';

/** How many of 200 wrong passwords of a name are looked at, each from an address of its own. */
function lookedAt(addressOf: (i: number) => string): number {
  const failures = new SignInFailures(() => 0);
  for (let i = 0; i < 200; i++) {
    try {
      failures.assertBelowLimit('admin', addressOf(i));
    } catch (error) {
      expect(error).toBeInstanceOf(RetryLaterException);
      return i;
    }
    failures.note('admin', addressOf(i));
  }
  return 200;
}

describe('the address that wrong passwords are counted by (D25)', () => {
  it('is a whole network of IPv6, which one client has', () => {
    expect(lookedAt((i) => `2001:db8:0:7::${i.toString(16)}`)).toBe(10);
    expect(lookedAt((i) => `2001:db8:0:7:${i}:2:3:4`)).toBe(10);
    expect(lookedAt((i) => `fe80::${i}%eth0`)).toBe(10);
    expect(lookedAt((i) => `2001:db8:0:${i.toString(16)}::1`)).toBe(200);
  });

  it('is one of IPv4, however it is written', () => {
    expect(lookedAt((i) => `192.0.2.${i}`)).toBe(200);
    expect(lookedAt((i) => (i % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'))).toBe(10);
    expect(lookedAt((i) => `::ffff:192.0.2.${i}`)).toBe(200);
  });

  it('is the text, where it is none', () => {
    expect(lookedAt(() => 'unknown')).toBe(10);
  });
});
