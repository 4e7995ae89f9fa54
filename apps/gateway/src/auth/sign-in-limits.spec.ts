import { describe, expect, it } from '@jest/globals';
import { RetryLaterException } from '../http/http-errors.ts';
import { SignInLimits } from './sign-in-limits.ts';

const MINUTE_MS = 60_000;

/** How many of 400 wrong passwords are verified, each with a different user and address. */
function verified(
  of: (i: number) => [username: string, address: string],
  limits = new SignInLimits(() => 0),
) {
  for (let i = 0; i < 400; i += 1) {
    try {
      limits.reserve(...of(i)).settle('wrong');
    } catch (error) {
      expect(error).toBeInstanceOf(RetryLaterException);
      return i;
    }
  }
  return 400;
}

const secondsOf = (work: () => unknown): number => {
  try {
    work();
  } catch (error) {
    return ((error as RetryLaterException).getResponse() as { retryIn: number }).retryIn;
  }
  throw new Error('it was let in');
};

describe('wrong passwords', () => {
  it('are ten of a user from a client, which has a whole /64 of IPv6', () => {
    for (const addressOf of [
      () => '192.0.2.1',
      () => 'unknown',
      (i: number) => (i % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'),
      (i: number) => `2001:db8:0:7::${i.toString(16)}`,
      (i: number) => `2001:db8:0:7:${i}:2:3:4`,
      (i: number) => `fe80::${i}%eth0`,
    ]) {
      expect(verified((i) => ['admin', addressOf(i)])).toBe(10);
    }
  });

  it('are a hundred of a client, for any users', () => {
    expect(verified((i) => [`user-${i}`, '192.0.2.1'])).toBe(100);
  });

  it('are a hundred of a user, for any addresses', () => {
    expect(verified((i) => ['admin', `192.0.${i >> 8}.${i & 255}`])).toBe(100);
    expect(verified((i) => ['admin', `2001:db8:${i.toString(16)}::1`])).toBe(100);
  });

  it('are three hundred of a /48 of IPv6, for any users and networks in it', () => {
    expect(verified((i) => [`user-${i}`, `2001:db8:0:${i.toString(16)}::1`])).toBe(300);
    expect(verified((i) => [`user-${i}`, `2001:db8:${i.toString(16)}::1`])).toBe(400);
  });

  it('also limit concurrent sign-ins', () => {
    const limits = new SignInLimits(() => 0);
    const reserved = Array.from({ length: 10 }, () => limits.reserve('admin', '192.0.2.1'));
    // One of those in progress may turn out right.
    expect(secondsOf(() => limits.reserve('admin', '192.0.2.1'))).toBe(2);
    reserved[0]!.settle('right');
    reserved[1]!.settle('unknown');
    for (const one of reserved.slice(2)) one.settle('wrong');
    for (let i = 0; i < 2; i += 1) limits.reserve('admin', '192.0.2.1').settle('wrong');
    expect(secondsOf(() => limits.reserve('admin', '192.0.2.1'))).toBe(900);
  });

  it('are counted again after 15 minutes', () => {
    let now = 0;
    const limits = new SignInLimits(() => now);
    expect(verified(() => ['admin', '192.0.2.1'], limits)).toBe(10);
    now = 15 * MINUTE_MS;
    expect(verified(() => ['admin', '192.0.2.1'], limits)).toBe(10);
  });

  it('of others lock out no user at an address where the user signed in within a day', () => {
    let now = 0;
    const limits = new SignInLimits(() => now);
    limits.reserve('admin', '198.51.100.1').settle('right');
    verified((i) => ['admin', `192.0.${i >> 8}.${i & 255}`], limits);
    expect(secondsOf(() => limits.reserve('admin', '198.51.100.2'))).toBe(900);
    limits.reserve('admin', '198.51.100.1').settle('right');
    now = 24 * 60 * MINUTE_MS;
    verified((i) => ['admin', `192.0.${i >> 8}.${i & 255}`], limits);
    expect(secondsOf(() => limits.reserve('admin', '198.51.100.1'))).toBe(900);
  });
});

describe('a verified password above the limit', () => {
  it('may be remembered for a client of the user, for ten passwords', () => {
    const limits = new SignInLimits(() => 0);
    const may = (password: string, address = '192.0.2.1') => limits.mayRemember('admin', address, password);
    expect(may('any', '203.0.113.9')).toBe(true);
    limits.reserve('admin', '192.0.2.1').settle('right');
    verified(() => ['admin', '192.0.2.1'], limits);
    verified(() => ['admin', '203.0.113.9'], limits);
    expect(may('any', '203.0.113.9')).toBe(false);
    expect(Array.from({ length: 20 }, (_, i) => may(`guess ${i}`)).filter(Boolean)).toHaveLength(10);
    // The forgotten script's own one, again and again.
    expect(may('guess 0')).toBe(true);
  });
});
