import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readConfig } from '#libs/config';
import { readKeyStatus } from '#libs/key-rotation';
import { openSecretKeys, wrapperOf } from '#libs/key-wrapping';
import { Vault } from '#libs/vault';
import { recordingTerminal } from '../../../../../test/fixtures/cli/simulated-service.ts';
import { SimulatedVault } from '../../../../../test/fixtures/key-wrapping/simulated-vault.ts';
import { type TestDatabase, testDatabase } from '../../../../../test/support/database.ts';
import { runPosture } from '../../posture.ts';

const kms = new SimulatedVault();
let database: TestDatabase;
beforeAll(async () => {
  await kms.start();
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
  await kms.stop();
});

it('encrypts the secrets of the integrations with the secret key that a KMS has wrapped (R-KEY-5)', async () => {
  const wrapper = wrapperOf(readConfig(kms.env), 'vault');
  const wrapped = await wrapper.wrap(Buffer.from('s'.repeat(32)));
  await wrapper.close();
  const env = { ...kms.env, DATABASE_URL: database.url, LOG_PARTITIONS: '2', POSTURE_SECRET_KEY: wrapped };
  const terminal = recordingTerminal(env);
  const exitCode = await runPosture(['demo', '--days', '7', '--machines', '2', '--users', '1'], terminal);
  expect([exitCode, terminal.err()]).toEqual([0, expect.any(String)]);
  const { keyIds } = new Vault(await openSecretKeys(readConfig(env)));
  const used = (await readKeyStatus(database.db)).filter(({ integrationSecrets }) => integrationSecrets > 0);
  expect(used.map(({ keyId }) => keyId)).toEqual(keyIds);
});
