import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '#libs/config';
import { SimulatedVault } from '../../../test/fixtures/key-wrapping/simulated-vault.ts';
import { KeyWrapperError } from './key-wrapper.ts';
import { openSecretKeys } from './open-secret-keys.ts';
import { wrapperOf } from './wrapper-of.ts';

const SECRET = 'the secret of the site'.padEnd(40, 'x').replaceAll(' ', '-');
const OTHER = 'o'.repeat(32);

const vault = new SimulatedVault();
beforeAll(() => vault.start());
afterAll(() => vault.stop());

const opened = async (env: Record<string, string>) =>
  (await openSecretKeys(readConfig(env))).map((secret) => secret.toString());
const withVault = (secret: string, more: Record<string, string> = {}) =>
  opened({ ...vault.env, POSTURE_SECRET_KEY: secret, ...more });

async function wrapped(secret: string): Promise<string> {
  const wrapper = wrapperOf(readConfig(vault.env), 'vault');
  try {
    return await wrapper.wrap(Buffer.from(secret));
  } finally {
    await wrapper.close();
  }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(KeyWrapperError);
  expect(error.message).not.toContain(vault.token);
  expect(error.message).not.toContain(SECRET);
  return error.message;
}

describe('a secret key that a KMS has wrapped (R-KEY-5)', () => {
  it('is unwrapped, also beside one that is not wrapped, and after a rotation of the key of the KMS', async () => {
    const text = await wrapped(SECRET);
    expect(text).toMatch(/^vault:v1:/);
    expect(text).not.toContain(SECRET);
    expect(await withVault(text)).toEqual([SECRET]);
    expect(await withVault(OTHER, { POSTURE_PREVIOUS_SECRET_KEY: text })).toEqual([OTHER, SECRET]);
    vault.rotate();
    const later = await wrapped(SECRET);
    expect(later).toMatch(/^vault:v2:/);
    expect(await withVault(later, { POSTURE_PREVIOUS_SECRET_KEY: text })).toEqual([SECRET, SECRET]);
  });

  it('is not sent anywhere if no KMS has wrapped it', async () => {
    const before = vault.received.length;
    expect(await withVault(OTHER)).toEqual([OTHER]);
    expect(vault.received.length).toBe(before);
  });

  it('is requested again after a lost connection and a temporary error', async () => {
    const text = await wrapped(SECRET);
    vault.script.push('cut', { status: 503, body: { errors: ['Vault is sealed'] } });
    expect(await withVault(text)).toEqual([SECRET]);
  });

  it('is an error that says what to do if the KMS does not unwrap it', async () => {
    const text = await wrapped(SECRET);
    const cut = text.slice(0, -9);
    expect(await failureOf(withVault(`${text.slice(0, 20)}AAAA${text.slice(24)}`))).toMatch(
      /^Vault at 127\.0\.0\.1:\d+ does not decrypt with the key transit\/posture: 400 cipher: message authentication failed\. The secret key was changed/,
    );
    expect(await failureOf(withVault(text, { VAULT_TOKEN: 'hvs.other' }))).toMatch(
      /403 permission denied\. Check VAULT_TOKEN/,
    );
    expect(await failureOf(withVault(text, { VAULT_TRANSIT_KEY: 'other' }))).toMatch(
      /encryption key not found/,
    );
    expect(await failureOf(withVault(text, { VAULT_TRANSIT_MOUNT: 'kv' }))).toMatch(
      /404 no handler for route/,
    );
    expect(await failureOf(withVault(`${cut}%%%%%%%%%`))).toMatch(/is damaged: it must be vault:v/);
    expect(await failureOf(opened({ POSTURE_SECRET_KEY: text }))).toMatch(/set VAULT_ADDR, VAULT_TOKEN and/);
    vault.isSealed = true;
    expect(await failureOf(withVault(text))).toMatch(/is unavailable \(503 Vault is sealed\)/);
    vault.isSealed = false;
    expect(await failureOf(withVault(text, { VAULT_ADDR: 'http://127.0.0.1:1' }))).toMatch(
      /^Vault at 127\.0\.0\.1:1 is unavailable \(/,
    );
  });

  it('can be as long as one that is not wrapped', async () => {
    const longest = 'x'.repeat(512);
    expect(await withVault(await wrapped(longest))).toEqual([longest]);
    expect(() => readConfig({ POSTURE_SECRET_KEY: `${longest}x` })).toThrow(/must be 32 to 512 characters/);
  });

  it('can have characters that are not ASCII', async () => {
    // The second byte of à in UTF-8 is a no-break space in Latin-1.
    for (const secret of ['pässwörtà'.repeat(4), 'à'.repeat(512), '\u4e16'.repeat(512)]) {
      expect(await withVault(secret)).toEqual([secret]);
      expect(await withVault(await wrapped(secret))).toEqual([secret]);
    }
  });

  it('must be as strong as one that is not wrapped', async () => {
    await expect(withVault(await wrapped('short'))).rejects.toThrow(/must contain 32 to 512 characters/);
  });

  it.each([
    [
      { VAULT_TRANSIT_KEY: 'posture' },
      /VAULT_ADDR must be .*VAULT_TOKEN must be set if VAULT_TRANSIT_KEY is set/,
    ],
    [{ VAULT_TRANSIT_KEY: '../sys/seal' }, /VAULT_TRANSIT_KEY must be 1 to 128 letters/],
    [{ VAULT_TRANSIT_MOUNT: '/transit' }, /VAULT_TRANSIT_MOUNT must be a path such as transit/],
    [
      { VAULT_TRANSIT_KEY: 'a', VAULT_TOKEN: 't', VAULT_ADDR: 'https://me@vault' },
      /VAULT_ADDR must be a URL without a user name/,
    ],
    [{ VAULT_TRANSIT_KEY: 'a', VAULT_TOKEN: 'a b', VAULT_ADDR: 'https://vault' }, /^VAULT_TOKEN must be set/],
  ])('rejects the settings %j', (env, expected) => {
    expect(() => readConfig(env as unknown as Record<string, string>)).toThrow(expected);
  });

  it('leaves variables of the command line of Vault alone if no key is named', () => {
    expect(
      readConfig({ VAULT_ADDR: 'anything', VAULT_TOKEN: 'a b', VAULT_NAMESPACE: 'a b' }).vaultTransitKey,
    ).toBeUndefined();
  });
});

describe('the content of the file secret-key in a variable (R-KEY-1)', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'posture-secret-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it('decrypts with the bytes of the file, last, also if a KMS has wrapped it', async () => {
    const [file] = await openSecretKeys(readConfig({ DATA_DIR: dataDir }));
    const content = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
    const text = Buffer.from(content);
    const open = (env: Record<string, string>) => openSecretKeys(readConfig({ ...vault.env, ...env }));
    expect(await open({ POSTURE_SECRET_KEY: content })).toEqual([text, file]);
    expect(await open({ POSTURE_SECRET_KEY: OTHER, POSTURE_PREVIOUS_SECRET_KEY: content })).toEqual([
      Buffer.from(OTHER),
      text,
      file,
    ]);
    expect(await open({ POSTURE_SECRET_KEY: content, POSTURE_PREVIOUS_SECRET_KEY: OTHER })).toEqual([
      text,
      Buffer.from(OTHER),
      file,
    ]);
    expect(await open({ POSTURE_SECRET_KEY: await wrapped(content) })).toEqual([text, file]);
  });

  it.each(['a'.repeat(63), 'A'.repeat(64), 'a'.repeat(65)])('is not %s', async (secret) => {
    expect(await withVault(secret)).toEqual([secret]);
  });
});
