import { describe, expect, it } from '@jest/globals';
import { RetryLaterException } from '../http/http-errors.ts';
import { PasswordHasher } from './password-hasher.ts';

describe('PasswordHasher (R-AUTH-7)', () => {
  it('stores argon2id and knows the password again', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('pässwört');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(hash, 'pässwört')).toBe(true);
    expect(await hasher.verify(hash, 'passwort')).toBe(false);
  });

  it('makes a new password while sign-ins fill their queue', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('x');
    const attempts = Promise.allSettled(Array.from({ length: 80 }, async () => hasher.verify(hash, 'x')));
    const made = hasher.hash('another');
    expect(() => hasher.verify(hash, 'x')).toThrow(RetryLaterException);
    expect(await made).toMatch(/^\$argon2id\$/);
    await attempts;
  });

  it('queues 64 and rejects further ones with the seconds to wait', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('x');
    const attempts = Array.from({ length: 80 }, async () => hasher.verify(hash, 'x'));
    const results = await Promise.allSettled(attempts);
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    // One runs while 64 wait.
    expect(refused.length).toBeGreaterThanOrEqual(15);
    expect(refused[0]!.reason).toBeInstanceOf(RetryLaterException);
    expect(results.length - refused.length).toBeGreaterThanOrEqual(64);
  });
});
