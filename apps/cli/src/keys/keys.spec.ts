import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NIL } from 'uuid';
import { readingAt } from '#libs/domain';
import { openLog } from '#libs/intake';
import { Vault } from '#libs/vault';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { SimulatedVault } from '../../../../test/fixtures/key-wrapping/simulated-vault.ts';
import { plainSignal } from '../../../../test/support/api-client.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { T0 } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { runPosture } from '../posture.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const ROTATING = { POSTURE_SECRET_KEY: NEW, POSTURE_PREVIOUS_SECRET_KEY: OLD };
const SEALING = { SEAL_PERSONAL_TEXTS: 'true' };

/** In order: each uses the result of the previous one. */
describe('posture keys', () => {
  let gateway: StartedGateway;
  const others: StartedGateway[] = [];
  beforeAll(async () => {
    gateway = await StartedGateway.start({ folds: true, env: { ...SEALING, POSTURE_SECRET_KEY: OLD } });
    // The first record, without which a log cannot be backed up.
    await openLog(gateway.database.db, gateway.log, () => readingAt(T0));
  });
  afterAll(async () => {
    for (const other of others) await other.stop();
    await gateway.stop();
  });

  async function run(secrets: Record<string, string>, ...args: string[]) {
    const terminal = recordingTerminal({ DATABASE_URL: gateway.database.url, ...secrets });
    const exitCode = await runPosture(['keys', ...args], terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  async function secondGateway(secrets: Record<string, string>): Promise<StartedGateway> {
    const second = await StartedGateway.start({ beside: gateway, env: { ...SEALING, ...secrets } });
    others.push(second);
    return second;
  }

  async function send(to: StartedGateway, ...users: string[]): Promise<void> {
    const admin = await to.client('admin');
    for (const name of users) {
      const entity = { type: 'user', name };
      const sent = await admin.signal(plainSignal('leaked password', '', { entity }));
      expect(sent.status).toBe(200);
    }
  }

  async function namesOn(of: StartedGateway): Promise<string[]> {
    const admin = await of.client('admin');
    const { items } = await admin.get<{ items: { name: string }[] }>('/api/v3/assets?limit=100');
    return items.map(({ name }) => name).sort();
  }

  it('shows which wrapping key encrypts how much', async () => {
    await send(gateway, 'ana', 'ben');
    const { exitCode, out } = await run({ POSTURE_SECRET_KEY: OLD }, 'status');
    expect([exitCode, out.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(/^Wrapping key {2}Is +Keys of subjects +Secrets of integrations/),
        // Two users, the admin who sent them, the key of the lookups.
        expect.stringMatching(/^[\w-]{8} +present +4 +0 +0 +0 +0 +0 +0 +0$/),
        'All stored keys and secrets are encrypted with the present wrapping key',
        '',
      ],
    ]);
    const rotating = await run(ROTATING, 'status');
    expect(rotating.out).toMatch(
      /present +0 +0 +0 +0 +0 +0 +0 +0\n.*previous +4 +0 +0 +0 +0 +0 +0 +0\n4 require the previous secret: run/,
    );
    const other = await run({ POSTURE_SECRET_KEY: NEW }, 'status', '--json');
    expect(JSON.parse(other.out)).toMatchObject({
      ok: true,
      isRotated: false,
      keys: [{ role: 'present' }, { role: 'unknown', subjectKeys: 4 }],
    });
  });

  it('rotates while gateways use the keys; then the previous secret is not needed', async () => {
    const rotating = await secondGateway(ROTATING);
    const [rotated] = await Promise.all([run(ROTATING, 'rotate'), send(rotating, 'ben', 'cleo', 'dan')]);
    expect(rotated).toMatchObject({
      exitCode: 0,
      err: expect.stringMatching(/^Rotating: \d keys and secrets\n/),
    });
    expect(rotated.out).toMatch(/^Rotated {4}4 keys and secrets; \d were under the present wrapping key\n$/);
    expect((await run(ROTATING, 'status')).out).toMatch(
      /present +6 +0 +0 +0 +0 +0 +0 +0\n.*previous +0 +0 +0 +0 +0 +0 +0 +0\nNo stored key requires the previous secret\./,
    );
    const renewed = await secondGateway({ POSTURE_SECRET_KEY: NEW });
    await send(renewed, 'ana', 'eve');
    const all = ['ana', 'ben', 'cleo', 'dan', 'eve'];
    await until('everything is folded', async () => (await namesOn(renewed)).length === all.length);
    expect([await namesOn(renewed), await namesOn(rotating)]).toEqual([all, all]);
  });

  it('requires the previous secret until the sessions that it encrypts are checked', async () => {
    const { pool } = gateway.database;
    const token = new Vault([Buffer.from(OLD)]).seal('token', { integration: NIL, field: 'refreshToken' });
    await pool.query(
      `insert into sessions (id, secret_hash, user_id, created_at, expires_at, ends_at, address, user_agent, refresh_token)
       select gen_random_uuid(), n::text::bytea, $1, now(), now() + make_interval(hours => n), now(), '', '', $2
         from unnest('{-1, 1}'::int[]) n`,
      [NIL, token],
    );
    const { out } = await run(ROTATING, 'status');
    expect(out).toMatch(/previous +0 .*\n1 sessions require the previous secret until their next check/);
    expect(JSON.parse((await run(ROTATING, 'status', '--json')).out)).toMatchObject({
      isRotated: false,
      sessions: 1,
    });
    await pool.query('delete from sessions where refresh_token is not null');
    expect(JSON.parse((await run(ROTATING, 'status', '--json')).out)).toMatchObject({
      isRotated: true,
      sessions: 0,
    });
  });

  /** A backup and its restore name the wrapping key, and need no KMS; the restored site needs it. */
  async function restoresWithoutVault(vault: SimulatedVault, wrapped: string): Promise<void> {
    const secrets = { ...vault.env, POSTURE_SECRET_KEY: wrapped };
    const target = await testDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'posture-keys-'));
    try {
      const backingUp = recordingTerminal({ DATABASE_URL: gateway.database.url, ...secrets });
      expect([await runPosture(['backup', folder], backingUp), backingUp.err()]).toEqual([
        0,
        expect.any(String),
      ]);
      const [, keyId] = /\nKeys {7}they are encrypted with ([\w-]{8}) \(posture keys status\)\n$/.exec(
        backingUp.out(),
      )!;
      const restoring = recordingTerminal({ DATABASE_URL: target.url, ...secrets });
      expect([await runPosture(['restore', folder, '--json'], restoring), restoring.err()]).toEqual([0, '']);
      expect(JSON.parse(restoring.out())).toMatchObject({ wrappingKeys: [keyId] });
      vault.isSealed = false;
      const status = async (env: Record<string, string>) => {
        const terminal = recordingTerminal({ DATABASE_URL: target.url, ...env });
        await runPosture(['keys', 'status'], terminal);
        return terminal.out();
      };
      expect(await status(secrets)).toMatch(new RegExp(`\n${keyId} +present +7 `));
      expect(await status({ POSTURE_SECRET_KEY: OLD })).toMatch(new RegExp(`\n${keyId} +unknown +7 `));
    } finally {
      await target.drop();
      await rm(folder, { recursive: true });
    }
  }

  it('moves to a secret that a KMS has wrapped, and back, by rotations', async () => {
    const vault = new SimulatedVault();
    await vault.start();
    try {
      const wrapped = (await run(vault.env, 'wrap')).out.trim();
      expect(wrapped).toMatch(/^vault:v1:[\w+/=]+$/);
      const moving = { ...vault.env, POSTURE_SECRET_KEY: wrapped, POSTURE_PREVIOUS_SECRET_KEY: NEW };
      expect((await run(moving, 'rotate')).out).toMatch(/^Rotated {4}7 keys and secrets; 0 were/);
      const wrapping = await secondGateway({ ...vault.env, POSTURE_SECRET_KEY: wrapped });
      vault.isSealed = true;
      expect(await namesOn(wrapping)).toHaveLength(5);
      const refused = await run(moving, 'status');
      expect(refused).toMatchObject({
        exitCode: 1,
        out: '',
        err: expect.stringMatching(/Vault at .* is unavailable/),
      });
      await expect(
        StartedGateway.start({ beside: gateway, env: { ...vault.env, POSTURE_SECRET_KEY: wrapped } }),
      ).rejects.toThrow(/Vault at .* is unavailable \(503 Vault is sealed\)/);
      await restoresWithoutVault(vault, wrapped);
      vault.isSealed = false;
      const back = { ...vault.env, POSTURE_SECRET_KEY: NEW, POSTURE_PREVIOUS_SECRET_KEY: wrapped };
      expect((await run(back, 'rotate')).out).toMatch(/^Rotated {4}7 keys and secrets; 0 were/);
      expect((await run({ POSTURE_SECRET_KEY: NEW }, 'status')).out).toMatch(
        /\nAll stored keys and secrets are/,
      );
      const again = (await run({ ...vault.env, POSTURE_SECRET_KEY: NEW }, 'wrap', '--present')).out.trim();
      expect((await run({ ...vault.env, POSTURE_SECRET_KEY: again }, 'status')).out).toMatch(/present +7 /);
    } finally {
      await vault.stop();
    }
  });

  it('names a damaged key and exits with 1', async () => {
    await gateway.database.pool.query(
      `update subject_keys set wrapped = 'v1.abcdefgh.AAAA' where lookup is not null
         and ctid = (select ctid from subject_keys where lookup is not null limit 1)`,
    );
    const { exitCode, err } = await run(ROTATING, 'rotate');
    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(
        /posture: 1 stored keys and secrets cannot be decrypted; 0 others were rotated\n {2}the key of subject [\w-]{22} is not an encrypted text\n$/,
      ),
    ]);
    const json = await run(ROTATING, 'rotate', '--json');
    expect([json.exitCode, json.err]).toEqual([1, '']);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      details: [expect.stringMatching(/^the key of subject/)],
    });
  });

  it.each([
    [{ POSTURE_SECRET_KEY: 'short' }, /POSTURE_SECRET_KEY must be 32 to 512 characters/],
    [{ DATA_DIR: '/nonexistent/data' }, /secret-key does not exist: set DATA_DIR or POSTURE_SECRET_KEY/],
    [{ ...ROTATING, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /the database is unreachable/],
  ])('rejects %j', async (secrets, expected) => {
    const { exitCode, out, err } = await run(secrets as unknown as Record<string, string>, 'rotate');
    expect([exitCode > 0, out, err]).toEqual([true, '', expect.stringMatching(expected)]);
  });
});

describe('posture keys on a site that moves from the file secret-key to a variable', () => {
  let dataDir: string;
  let gateway: StartedGateway;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'posture-keys-'));
    gateway = await StartedGateway.start({ folds: true, env: { ...SEALING, DATA_DIR: dataDir } });
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(dataDir, { recursive: true });
  });

  async function run(secrets: Record<string, string>, command: string) {
    const terminal = recordingTerminal({ DATABASE_URL: gateway.database.url, ...secrets });
    return { exitCode: await runPosture(['keys', command], terminal), out: terminal.out() };
  }

  it('decrypts what the file has encrypted, and rotates it', async () => {
    const admin = await gateway.client('admin');
    const entity = { type: 'user', name: 'ana' };
    expect((await admin.signal(plainSignal('leaked password', '', { entity }))).status).toBe(200);
    const content = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
    const variable = { POSTURE_SECRET_KEY: content };
    const rows = async (secrets: Record<string, string>) => {
      const { out } = await run(secrets, 'status');
      return [...out.matchAll(/^[\w-]{8} +([a-z]+) +(\d+)/gm)].map(([, role, keys]) => `${role} ${keys}`);
    };
    expect(await rows(variable)).toEqual(['present 0', 'previous 3']);
    const moved = { POSTURE_SECRET_KEY: NEW, POSTURE_PREVIOUS_SECRET_KEY: content };
    expect(await rows(moved)).toEqual(['present 0', 'previous 3', 'previous 0']);
    expect(await run(variable, 'rotate')).toEqual({
      exitCode: 0,
      out: 'Rotated    3 keys and secrets; 0 were under the present wrapping key\n',
    });
    expect(await rows(variable)).toEqual(['present 3']);
    expect((await run(variable, 'status')).out).toMatch(/\nAll stored keys and secrets are encrypted with/);
    expect((await run(moved, 'rotate')).exitCode).toBe(0);
    expect(await rows({ POSTURE_SECRET_KEY: NEW })).toEqual(['present 3']);
  });
});
