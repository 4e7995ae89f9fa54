import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '#libs/config';
import { SimulatedAwsKms } from '../../../test/fixtures/key-wrapping/simulated-aws-kms.ts';
import { SimulatedVault } from '../../../test/fixtures/key-wrapping/simulated-vault.ts';
import { KeyWrapperError } from './key-wrapper.ts';
import { openSecretKeys } from './open-secret-keys.ts';
import { type Kms, wrapperOf } from './wrapper-of.ts';

const SECRET = 's'.repeat(40);
const OTHER = 'o'.repeat(32);
const AWS_VARIABLE = /^AWS_/;

const kms = new SimulatedAwsKms();
let before: NodeJS.ProcessEnv;
beforeAll(async () => {
  before = { ...process.env };
  await kms.start();
});
// The client finds credentials in the environment of the process.
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (AWS_VARIABLE.test(name)) delete process.env[name];
  Object.assign(process.env, kms.credentials, {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
  });
  process.env.AWS_SHARED_CREDENTIALS_FILE = '/dev/null';
});
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (AWS_VARIABLE.test(name)) delete process.env[name];
  Object.assign(process.env, before);
  await kms.stop();
});

const opened = async (env: Record<string, string>) =>
  (await openSecretKeys(readConfig(env))).map((secret) => secret.toString());
const withKms = (secret: string, more: Record<string, string> = {}) =>
  opened({ ...kms.env, POSTURE_SECRET_KEY: secret, ...more });

async function wrapped(secret: string, env: Record<string, string> = kms.env, by: Kms = 'aws-kms') {
  const wrapper = wrapperOf(readConfig(env), by);
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
  expect(error.message).not.toMatch(/secret-of-a-test|sssss/);
  return error.message;
}

describe('a secret key that AWS KMS has wrapped (R-KEY-5)', () => {
  it('is unwrapped, also beside one that Vault has wrapped, and one that is not wrapped', async () => {
    const text = await wrapped(SECRET);
    expect(text).toMatch(/^aws-kms:[\w+/]+=*$/);
    expect(Buffer.from(text.slice(8), 'base64').toString('latin1')).not.toContain(SECRET);
    expect(await withKms(text)).toEqual([SECRET]);
    expect(await withKms(OTHER, { POSTURE_PREVIOUS_SECRET_KEY: text })).toEqual([OTHER, SECRET]);
    const vault = new SimulatedVault();
    await vault.start();
    try {
      const byVault = await wrapped(OTHER, vault.env, 'vault');
      expect(await withKms(text, { ...vault.env, POSTURE_PREVIOUS_SECRET_KEY: byVault })).toEqual([
        SECRET,
        OTHER,
      ]);
    } finally {
      await vault.stop();
    }
  });

  it('can be as long as one that is not wrapped', async () => {
    const longest = 'x'.repeat(512);
    expect(await withKms(await wrapped(longest))).toEqual([longest]);
  });

  it('is requested again after a lost connection and a temporary error', async () => {
    const text = await wrapped(SECRET);
    kms.script.push('cut', { status: 500, body: { __type: 'KMSInternalException' } });
    expect(await withKms(text)).toEqual([SECRET]);
  });

  it('is an error that says what to do if AWS KMS does not unwrap it', async () => {
    const text = await wrapped(SECRET);
    const bytes = Buffer.from(text.slice(8), 'base64');
    bytes[60]! ^= 1;
    expect(await failureOf(withKms(`aws-kms:${bytes.toString('base64')}`))).toMatch(
      /^AWS KMS at 127\.0\.0\.1:\d+ does not decrypt with the key 1234abcd\S+: 400 InvalidCiphertextException: .*The secret key was changed/,
    );
    bytes[0]! ^= 1;
    expect(await failureOf(withKms(`aws-kms:${bytes.toString('base64')}`))).toMatch(
      /Another key has wrapped/,
    );
    expect(await failureOf(withKms(text, { AWS_KMS_KEY: 'alias/none' }))).toMatch(
      /with the key alias\/none: 400 NotFoundException: Key 'alias\/none' does not exist\. Check AWS_KMS_KEY/,
    );
    expect(await failureOf(withKms(`${text}%%%`))).toMatch(/is damaged: it must be aws-kms: and base64/);
    expect(await failureOf(opened({ POSTURE_SECRET_KEY: text }))).toMatch(/set AWS_KMS_KEY and AWS_REGION$/);
    expect(await failureOf(withKms(text, { AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:1' }))).toMatch(
      /^AWS KMS at 127\.0\.0\.1:1 is unavailable \(.*ECONNREFUSED/,
    );
    const denied = { status: 400, body: { __type: 'AccessDeniedException', message: 'not authorized' } };
    kms.script.push(denied);
    expect(await failureOf(withKms(text))).toMatch(
      /AccessDeniedException: not authorized\. The credentials require/,
    );
  });

  it('requires credentials, and is sent nowhere without them', async () => {
    const text = await wrapped(SECRET);
    const { requests } = kms;
    delete process.env.AWS_ACCESS_KEY_ID;
    expect(await failureOf(withKms(text))).toMatch(
      /CredentialsProviderError: .* Check AWS_REGION, the credentials/,
    );
    expect(kms.requests).toBe(requests);
  });

  it.each([
    [{ AWS_KMS_KEY: 'a b' }, /AWS_KMS_KEY must be the id, the alias or the ARN/],
    [{ AWS_KMS_KEY: 'a', AWS_REGION: 'EU/1' }, /AWS_REGION must be a region such as/],
    [{ AWS_KMS_KEY: 'a', AWS_ENDPOINT_URL_KMS: 'kms' }, /AWS_ENDPOINT_URL_KMS must be/],
  ])('rejects the settings %j', (env, expected) => {
    expect(() => readConfig(env as unknown as Record<string, string>)).toThrow(expected);
  });

  it('leaves variables of other programs for AWS alone if no key is named', () => {
    expect(readConfig({ AWS_REGION: 'EU/1', AWS_ENDPOINT_URL_KMS: 'kms' }).awsKmsKey).toBeUndefined();
  });
});
