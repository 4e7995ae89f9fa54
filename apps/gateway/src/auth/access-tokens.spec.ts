import { createHash, createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { deriveKey } from '#libs/config';
import { AccessTokens, ExpiredTokenError, InvalidTokenError } from './access-tokens.ts';

const MINUTE_MS = 60_000;
const secret = Buffer.alloc(32, 7);
const ana = {
  credentialId: '6f3a4b1f-0a04-4b5c-9a3e-5f0c1a520d0b',
  name: 'ana',
  role: 'analyst',
  generation: 2,
} as const;

const tokensAt = (clock: { now: number }, ...keys: Buffer[]) =>
  new AccessTokens(keys.length > 0 ? keys : [secret], () => clock.now);

describe('AccessTokens (R-AUTH-2)', () => {
  it('lives 60 minutes and no longer', async () => {
    const clock = { now: 1_700_000_000_000 };
    const token = await tokensAt(clock).issue(ana);
    clock.now += 60 * MINUTE_MS - 1;
    const fingerprint = createHash('sha256').update(token).digest('hex').slice(0, 12);
    const verified = { principal: ana, expiresAt: 1_700_003_600_000, fingerprint };
    expect(await tokensAt(clock).verify(token)).toEqual(verified);
    clock.now += 1;
    await expect(tokensAt(clock).verify(token)).rejects.toThrow(ExpiredTokenError);
  });

  it('ends a token that it has seen before, too', async () => {
    const clock = { now: 1_700_000_000_000 };
    const tokens = tokensAt(clock);
    const token = await tokens.issue(ana);
    expect(await tokens.verify(token)).toMatchObject({ principal: ana });
    clock.now += 61 * MINUTE_MS;
    await expect(tokens.verify(token)).rejects.toThrow(ExpiredTokenError);
  });

  it('names credential, user and role', async () => {
    const token = await tokensAt({ now: 1_700_000_000_500 }).issue(ana);
    expect(decodeJwt(token)).toEqual({
      iss: 'risk-posture-service',
      sub: ana.credentialId,
      name: 'ana',
      role: 'analyst',
      generation: 2,
      iat: 1_700_000_000,
      exp: 1_700_003_600,
    });
  });

  it('signs with the new secret, and still accepts tokens of the previous secret', async () => {
    const clock = { now: 1_700_000_000_000 };
    const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
    const old = await tokensAt(clock, before).issue(ana);
    const rotated = tokensAt(clock, after, before);
    expect(await rotated.verify(old)).toMatchObject({ principal: ana });
    expect(await tokensAt(clock, after).verify(await rotated.issue(ana))).toMatchObject({ principal: ana });
    await expect(tokensAt(clock, after).verify(old)).rejects.toThrow(InvalidTokenError);
    // A process that still signs with the old secret already knows the new one: docs/operating.md "Keys".
    expect(await tokensAt(clock, before, after).verify(await rotated.issue(ana))).toMatchObject({
      principal: ana,
    });
  });

  it('rejects tokens with a foreign or wrong signature', async () => {
    const clock = { now: 1_700_000_000_000 };
    const tokens = tokensAt(clock);
    const good = await tokens.issue(ana);
    const { kid } = decodeProtectedHeader(good);
    const [head, payload, signature] = good.split('.');
    const claims = { name: 'ana', role: 'admin', iss: 'risk-posture-service', sub: 'x', exp: 1_700_003_600 };
    const key = createSecretKey(deriveKey(secret, 'access tokens'));
    const signed = (more: object) =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256', kid: kid! }).sign(key);
    const bad = [
      '',
      'x',
      `${head}.${payload}.`,
      `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`,
      new UnsecuredJWT(claims).encode(),
      await tokensAt(clock, Buffer.alloc(32, 8)).issue(ana),
      await signed({ role: undefined }),
      await signed({ iss: 'another' }),
      await signed({ exp: undefined }),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key),
    ];
    for (const token of bad) await expect(tokens.verify(token)).rejects.toThrow(InvalidTokenError);
    expect(await tokens.verify(await signed({}))).toMatchObject({ principal: { role: 'admin' } });
  });
});
