import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Vault, VaultError, type VaultFailure } from './vault.ts';

const PLACE = { integration: '5f0c', field: 'clientSecret' };
const OLD = Buffer.from('an older secret of the site, long');
const NEW = Buffer.from('the newest secret of the site, long');

/** Made apart from the code here, by its description. */
const RELEASED = 'v1.16cQsCR0.AQIDBAUGBwgJCgsMNCXgC59UlgUAENCLZ7WV6m9lAFGgork';

const place = fc.record({ integration: fc.string(), field: fc.string() });
// Text as JSON bodies can carry it: lone surrogates have no UTF-8.
const text = fc.string({ unit: 'binary', maxLength: 300 });

function failureOf(work: () => unknown): VaultFailure | 'none' {
  try {
    work();
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(VaultError);
    return (error as VaultError).failure;
  }
}

describe('Vault (R-KEY-2)', () => {
  const vault = new Vault([NEW]);

  it('decrypts its own secrets, for the same field', () => {
    fc.assert(fc.property(text, place, (secret, at) => vault.open(vault.seal(secret, at), at) === secret));
  });

  it('opens it after a restart, and never seals the same text twice', () => {
    const sealed = vault.seal('hunter2', PLACE);
    expect(new Vault([NEW]).open(sealed, PLACE)).toBe('hunter2');
    expect(vault.seal('hunter2', PLACE)).not.toBe(sealed);
  });

  it('opens secrets that the first release sealed', () => {
    expect(vault.open(RELEASED, PLACE)).toBe('hunter2');
  });

  it('reveals nothing of the secret', () => {
    const secret = randomBytes(16).toString('hex');
    const sealed = vault.seal(secret, PLACE);
    expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/);
    const bytes = Buffer.from(sealed.split('.')[2]!, 'base64url');
    expect(bytes.includes(secret)).toBe(false);
  });

  it('opens nothing at another place', () => {
    fc.assert(
      fc.property(text, place, place, (secret, at, elsewhere) => {
        fc.pre(at.integration !== elsewhere.integration || at.field !== elsewhere.field);
        return failureOf(() => vault.open(vault.seal(secret, at), elsewhere)) === 'altered';
      }),
    );
    const sealed = vault.seal('hunter2', { integration: 'a', field: 'b","c' });
    expect(failureOf(() => vault.open(sealed, { integration: 'a","b', field: 'c' }))).toBe('altered');
  });

  // Of three lengths: base64 has spare bits after two of them.
  it.each(['hunter2', 'hunter2!', 'hunter2!!'])('rejects a ciphertext with one changed bit: %s', (secret) => {
    const sealed = Buffer.from(vault.seal(secret, PLACE));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(failureOf(() => vault.open(altered.toString('latin1'), PLACE))).not.toBe('none');
    }
  });

  it('opens nothing that is cut or longer', () => {
    const sealed = vault.seal('hunter2', PLACE);
    for (let length = 0; length < sealed.length; length++) {
      expect(failureOf(() => vault.open(sealed.slice(0, length), PLACE))).not.toBe('none');
    }
    expect(failureOf(() => vault.open(`${sealed}AAAA`, PLACE))).toBe('altered');
    expect(failureOf(() => vault.open(`${sealed}\n`, PLACE))).toBe('form');
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string(), (anything) => failureOf(() => vault.open(anything, PLACE)) === 'form'),
    );
  });

  it('names the place and not the content', () => {
    const sealed = new Vault([OLD]).seal('hunter2', PLACE);
    expect(() => vault.open(sealed, PLACE)).toThrow(
      'clientSecret of the integration 5f0c cannot be decrypted: it was encrypted with a different secret key; set POSTURE_PREVIOUS_SECRET_KEY to that key, or enter the secret again',
    );
  });

  describe('under a new secret key', () => {
    const rotated = new Vault([NEW, OLD]);

    it('opens secrets that the previous one has sealed, and seals with the new one', () => {
      const before = new Vault([OLD]).seal('hunter2', PLACE);
      expect(rotated.open(before, PLACE)).toBe('hunter2');
      expect(vault.open(rotated.seal('hunter3', PLACE), PLACE)).toBe('hunter3');
    });

    it('lists the secrets to encrypt again: after that the old key is not needed', () => {
      const before = new Vault([OLD]).seal('hunter2', PLACE);
      const anew = rotated.reseal(before, PLACE)!;
      expect(vault.open(anew, PLACE)).toBe('hunter2');
      expect(rotated.reseal(anew, PLACE)).toBeNull();
      expect(failureOf(() => vault.open(before, PLACE))).toBe('key');
    });

    it('reseals nothing that does not open', () => {
      const elsewhere = { ...PLACE, field: 'apiSecret' };
      const before = new Vault([OLD]).seal('hunter2', PLACE);
      expect(failureOf(() => rotated.reseal(before, elsewhere))).toBe('altered');
      expect(failureOf(() => rotated.reseal(vault.seal('hunter2', PLACE), elsewhere))).toBe('altered');
    });
  });
});
