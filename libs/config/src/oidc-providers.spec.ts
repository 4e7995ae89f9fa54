import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConfigError } from './config-error.ts';
import { readOidcProviders } from './oidc-providers.ts';
import { readConfig } from './read-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'providers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'hunter2';
const CORP = {
  id: 'corp',
  label: 'Corporate account',
  issuer: 'https://id.example.com/realms/corp',
  clientId: 'posture',
  clientSecret: SECRET,
  grants: { 'risk-admins': ['admin'], auditors: ['audit:read', 'viewer'] },
};

function problemOf(text: string): string {
  try {
    readOidcProviders(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'none';
}
const problemWith = (changed: object) => problemOf(JSON.stringify([{ ...CORP, ...changed }]));

describe('readOidcProviders (R-AUTH-21)', () => {
  it('fills in defaults', () => {
    expect(readOidcProviders(JSON.stringify([CORP]))).toEqual([
      {
        ...CORP,
        scope: 'openid profile email',
        nameClaim: 'preferred_username',
        groupsClaim: 'groups',
        groupsFrom: 'claims',
        externalIdClaim: 'sub',
        audiences: [],
        checkSeconds: 300,
      },
    ]);
    expect(readOidcProviders(undefined)).toEqual([]);
  });

  it('reads limits of rows', () => {
    const limits = {
      departments: { sales: ['Sales'], 'risk-admins': ['*'] },
      locations: { berlin: ['Berlin'] },
    };
    expect(readOidcProviders(JSON.stringify([{ ...CORP, ...limits }]))).toMatchObject([limits]);
  });

  it('reads the secret from a file', () => {
    const clientSecretFile = join(folder, 'secret');
    writeFileSync(clientSecretFile, `${SECRET}\n`);
    const [provider] = readOidcProviders(
      JSON.stringify([{ ...CORP, clientSecret: undefined, clientSecretFile }]),
    );
    expect(provider!.clientSecret).toBe(SECRET);
    expect(problemWith({ clientSecretFile })).toMatch(/has both clientSecret and clientSecretFile/);
    expect(problemWith({ clientSecret: undefined, clientSecretFile: join(folder, 'missing') })).toMatch(
      /ENOENT/,
    );
  });

  it.each([
    ['{', 'OIDC_PROVIDERS must be JSON'],
    ['{}', 'OIDC_PROVIDERS must be a JSON list of 1 to 10 identity providers'],
    ['[]', 'OIDC_PROVIDERS must be a JSON list of 1 to 10 identity providers'],
    ['[1]', 'OIDC_PROVIDERS[0] must be an object'],
    [JSON.stringify([CORP, CORP]), 'OIDC_PROVIDERS has two providers with the id corp'],
  ])('rejects %s', (text, message) => expect(problemOf(text)).toBe(message));

  it.each([
    [{ id: 'token' }, /^OIDC_PROVIDERS\[0\]\.id must be 1 to 30 small letters/],
    [{ id: 'a:b' }, /\.id must /],
    [{ issuer: 'http://id.example.com' }, /\.issuer must be an https URL/],
    [{ issuer: 'https://ana:secret@id.example.com' }, /\.issuer must /],
    [{ issuer: 'https://id.example.com/?x' }, /\.issuer must /],
    [{ clientSecret: '' }, /\.clientSecret must have 1 to 2048 characters/],
    [{ scope: 'profile' }, /\.scope must be scopes/],
    [{ grants: {} }, /\.grants must have 1 to 500 groups/],
    [{ grants: { a: 'admin' } }, /\.grants must /],
    [{ grants: { a: ['Admin'] } }, /\.grants must /],
    [{ departments: {} }, /\.departments must have 1 to 500 groups/],
    [{ departments: { a: 'Sales' } }, /\.departments must /],
    [{ departments: { a: [''] } }, /\.departments must /],
    [{ locations: ['Berlin'] }, /\.locations must /],
    [{ locations: { a: Array.from({ length: 51 }, (_, i) => `L${i}`) } }, /\.locations must /],
    [{ checkSeconds: 1 }, /\.checkSeconds must be an integer from 5/],
    [{ returnTo: 'https://x' }, /\.returnTo is unknown/],
  ])('rejects %j', (changed, message) => expect(problemWith(changed)).toMatch(message));

  it('never repeats a secret', () => {
    expect(problemWith({ label: '', extra: SECRET })).not.toContain(SECRET);
  });

  it('rejects any other value without another error', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => problemOf(JSON.stringify(value)) !== 'none'));
  });

  it('requires the address of the service', () => {
    expect(() => readConfig({ OIDC_PROVIDERS: JSON.stringify([CORP]) })).toThrow(
      'PUBLIC_URL must be set if OIDC_PROVIDERS is set',
    );
  });
});
