import { describe, expect, it } from '@jest/globals';
import { idempotencyKeyOf, preferredWait } from './upload-headers.ts';

describe('idempotencyKeyOf (R-UPL-3)', () => {
  it('takes 1 to 200 visible ASCII characters', () => {
    expect(idempotencyKeyOf(undefined)).toBeNull();
    expect(idempotencyKeyOf('8f14e45f-ea')).toBe('8f14e45f-ea');
    expect(idempotencyKeyOf('k'.repeat(200))).toHaveLength(200);
  });

  it.each(['', 'a b', 'k'.repeat(201), 'schlüssel', 'a\tb'])('rejects %j', (key) => {
    expect(() => idempotencyKeyOf(key)).toThrow('Idempotency-Key must be 1 to 200 visible ASCII characters');
  });
});

describe('preferredWait (R-UPL-8)', () => {
  it.each([
    ['wait=10', 10],
    ['WAIT = 1', 1],
    ['respond-async, wait=5', 5],
    ['wait="7"; foo, bar', 7],
    ['wait=3600', 60],
  ])('reads %j as %d', (header, seconds) => expect(preferredWait(header)).toBe(seconds));

  it.each([undefined, '', 'wait', 'wait=0', 'wait=soon', 'wait=-1', 'await=5', 'wait=1.5'])(
    'does not change %j',
    (header) => expect(preferredWait(header)).toBeNull(),
  );
});
