import { mkdir, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const KEYS = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) };

let folder: string;
let list: string;
let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-erasures-'));
  list = join(folder, 'erasures.txt');
  gateway = await StartedGateway.start({ folds: true, env: { ...KEYS, ERASURE_LIST: list } });
  admin = await gateway.client('admin');
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

async function report(user: string): Promise<void> {
  const sent = await admin.signal(
    plainSignal('leaked password', '', { entity: { type: 'user', name: user } }),
  );
  expect(sent.status).toBe(200);
  await admin.folded(sent.body.uploadId);
}

const erase = (user: string) =>
  admin.request(
    'POST',
    '/api/v3/erasures',
    JSON.stringify({ subject: { type: 'user', name: user }, reason: 'r' }),
    JSON_BODY,
  );
const listed = async () => (await readFile(list, 'utf8')).trimEnd().split('\n').sort();

it('an erasure is on ERASURE_LIST before its key is destroyed, and waits while it cannot be (R-ERASE-6)', async () => {
  expect(await readFile(list, 'utf8')).toBe('');
  await report('ines');
  await report('jana');
  const ines = (await erase('ines')).body.id;
  expect(await listed()).toEqual([ines]);

  // A folder in its place cannot be replaced.
  await rm(list);
  await mkdir(join(list, 'full'), { recursive: true });
  const { status, body } = await erase('jana');
  expect([status, body.message]).toEqual([503, expect.stringContaining('is not destroyed yet')]);
  const [jana] = await admin.all('/api/v3/erasures');
  expect(jana.keyDestroyedAt).toBeNull();
  await rmdir(join(list, 'full'));
  await rmdir(list);
  await until('the gateway has destroyed the key', async () => {
    const [latest] = await admin.all('/api/v3/erasures');
    return latest.keyDestroyedAt !== null;
  });
  const both = [ines, jana.id].sort();
  expect(await listed()).toEqual(both);

  // A new list is complete when a gateway has started.
  await rm(list);
  const other = await StartedGateway.start({ beside: gateway, env: { ...KEYS, ERASURE_LIST: list } });
  try {
    expect(await listed()).toEqual(both);
  } finally {
    await other.stop();
  }
});

it('an erasure whose key was lost with the database is complete, and on the list (R-ERASE-2)', async () => {
  await report('kim');
  const kim = (await erase('kim')).body.id;
  await rm(list);
  await gateway.database.pool.query(`delete from subject_keys where subject = encode($1, 'hex')::uuid`, [
    Buffer.from(kim, 'base64url'),
  ]);
  await until('the erasure is complete again', async () => {
    const [latest] = await admin.all('/api/v3/erasures');
    return latest.id === kim && latest.state === 'erased';
  });
  expect(await listed()).toContain(kim);
  const { items } = await admin.get('/api/v3/assets?limit=100');
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['erased', 'erased', 'erased']);
});
