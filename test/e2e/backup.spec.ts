import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const SIGNALS = 100;
const ENCRYPTED = 'of-a-client-that-is-secret';
const EDR = {
  type: 'edrplugin',
  subType: 'falcon',
  name: 'EDR',
  config: { url: 'https://edr.example', clientId: 'client-1', clientSecret: ENCRYPTED },
};
const JSON_BODY = { 'content-type': 'application/json' };

const bundle = (name: string) =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: SIGNALS }, (_, i) => [`${i}.json`, plainSignal(`${name} ${i}`, `host${i % 7}`)]),
    ),
  );

interface Acknowledged {
  name: string;
  uploadId: string;
}

/** Uploads one after the other until it is stopped. */
async function uploading(client: ApiClient, acknowledged: Acknowledged[], hasEnded: () => boolean) {
  for (let i = 0; !hasEnded(); i++) {
    const name = `load${i}x`;
    const { status, body } = await client.zip(await bundle(name));
    if (status === 200) acknowledged.push({ name, uploadId: body.uploadId });
  }
}

/** The lost machine includes its PostgreSQL, which otherwise outlives the service. */
async function lose(dataDir: string): Promise<void> {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

const CHECKSUM_BYTES = 32;

/** The decompressed content of a backup's files. */
async function contentOf(folder: string): Promise<Buffer[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const bytes = await readFile(join(parentPath, name));
        return gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1, bytes.length - CHECKSUM_BYTES));
      }),
  );
}

describe('a site that is lost while it is in use', () => {
  const folders: string[] = [];
  const newFolder = async () => {
    folders.push(await temporaryDataDir());
    return folders.at(-1)!;
  };
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  it('is restored from its backup with all data acknowledged before it, its users and its secrets', async () => {
    const [backup, target] = [join(await newFolder(), 'backup'), await newFolder()];
    const old = await StartedStandalone.start(await newFolder());
    const client = await old.client();
    const added = await client.request(
      'POST',
      '/api/v3/credentials',
      JSON.stringify({ username: 'ana', role: 'viewer' }),
      JSON_BODY,
    );
    expect(added.body).toMatchObject({ username: 'ana', password: expect.any(String) });
    const integration = await client.request('POST', '/integration', JSON.stringify(EDR), JSON_BODY);
    expect(integration.status).toBe(200);
    const acknowledged: Acknowledged[] = [];
    const oneMore = (than: number) => until('an upload', () => acknowledged.length > than);
    let hasEnded = false;
    const load = uploading(client, acknowledged, () => hasEnded);
    await oneMore(0);
    expect(await posture({ DATA_DIR: old.dataDir }, 'backup', backup)).toMatch(/^Backed up/);
    await oneMore(acknowledged.length);
    const before = [...acknowledged];
    expect(await posture({ DATA_DIR: old.dataDir }, 'backup', backup)).toMatch(/; [1-9]\d* are new in/);
    hasEnded = true;
    await load;
    await old.kill();
    const secretKey = (await readFile(join(old.dataDir, 'secret-key'), 'utf8')).trim();
    await cp(join(old.dataDir, 'secret-key'), join(target, 'secret-key'));
    await lose(old.dataDir);

    for (const bytes of await contentOf(backup)) {
      expect(bytes.includes(secretKey)).toBe(false);
      expect(bytes.includes(ENCRYPTED)).toBe(false);
      expect(bytes.includes(added.body.password)).toBe(false);
    }
    expect(await posture({ DATA_DIR: target }, 'restore', backup)).toMatch(/^Restored {3}\d+ records/);
    const site = await StartedStandalone.start(target);
    try {
      const again = await site.client();
      for (const { name, uploadId } of before) {
        expect(await again.folded(uploadId)).toMatchObject({
          folded: SIGNALS,
          outcome: { created: SIGNALS },
        });
        expect(await again.all(`/api/v3/findings?name=${name}`)).toHaveLength(SIGNALS);
      }
      await expectVerified({ DATA_DIR: target });
      const { username, password } = added.body;
      const basic = Buffer.from(`${username}:${password}`).toString('base64');
      const signedIn = await fetch(`${site.url}/api/v3/auth`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
      });
      expect(signedIn.status).toBe(200);
      expect(await again.get(`/integrations/${integration.body.id}`)).toMatchObject({ name: 'EDR' });
    } finally {
      await site.stop();
    }
  }, 240_000);
});
