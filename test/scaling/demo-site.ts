import { rm } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { ApiClient } from '../support/api-client.ts';
import { comparable } from '../support/every-read.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { FEW_PARTITIONS, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { posture } from '../support/verify.ts';

const DAY_MS = 86_400_000;
const DEMO_DAYS = 42;

/** Times within the past of the demo, oldest first. */
export const demoInstants = (): string[] => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return [35, 15, 2].map((days) => new Date(today - days * DAY_MS).toISOString());
};

/** Writes the demo with its past into a new database, and starts the service on it. */
export async function startDemo(databaseUrl: string): Promise<StandaloneHere> {
  const dataDir = await temporaryDataDir();
  const options = ['--days', `${DEMO_DAYS}`, '--machines', '20', '--users', '4'];
  await posture({ ...FEW_PARTITIONS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, 'demo', ...options);
  await rm(dataDir, { recursive: true, force: true });
  return startScored(databaseUrl);
}

/** Starts the service, and waits until it has folded and scored the log. */
export async function startScored(databaseUrl: string): Promise<StandaloneHere> {
  const site = await StandaloneHere.start({ DATABASE_URL: databaseUrl });
  const client = await site.client();
  await until('the demo is folded and scored', async () => {
    const { assets, scoredAssets, at } = await client.get('/api/v3/scores/organization');
    const uploads = await client.all('/api/v3/uploads');
    return at !== null && assets > 20 && scoredAssets === assets && uploads.every(({ done }) => done);
  });
  return site;
}

const READS = ['assets', 'findings', 'scores', 'uploads', 'integrations', 'settings'];

/** A caller of the same site who only sees one department, that of an asset of `everyRead`. */
export async function limitedClient(admin: ApiClient): Promise<ApiClient> {
  const { items } = await admin.get('/api/v3/assets?sort=-score&limit=100');
  const [department] = items.flatMap((asset: any) => asset.department ?? []);
  const limits = { departments: [department], scopes: READS.map((of) => `${of}:read`) };
  const named = JSON.stringify({ name: 'limited', ...limits });
  const { status, body } = await admin.request('POST', '/api/v3/tokens', named, {
    'content-type': 'application/json',
  });
  if (status !== 200) throw new Error(`a limited token was refused: ${status} ${body.message}`);
  return ApiClient.withToken(admin.url, body.token);
}

/**
 * What the second service answers otherwise than the first. Each read is sent to both, one right after the other, because
 * some answers depend on the time.
 */
export async function differing(
  expected: ApiClient,
  actual: ApiClient,
  reads: readonly string[],
): Promise<object[]> {
  const since = Date.now();
  const found: object[] = [];
  let answered = 0;
  for (const read of reads) {
    const [a, b] = [await ask(expected, read), await ask(actual, read)];
    if (a.status === 200) answered += 1;
    const [before, after] = [comparable(a.body, since), comparable(b.body, since)];
    if (a.status >= 500 || a.status !== b.status || before !== after)
      found.push({ read, ...b, expected: before });
  }
  expect(answered).toBeGreaterThan(reads.length / 2);
  return found;
}

async function ask(client: ApiClient, read: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${client.url}${read}`, { headers: { authorization: client.authorization } });
  return { status: response.status, body: await response.text() };
}
