import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Change, createClient, type PostureClient } from '../../client/src/index.ts';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

/** The same after a restart. */
let env: Record<string, string>;
let database: TestDatabase;
let service: StandaloneHere;
let client: PostureClient;

beforeAll(async () => {
  database = await testDatabase();
  env = {
    PORT: `${await freePort()}`,
    DATABASE_URL: database.url,
    POSTURE_SECRET_KEY: 'the-secret-key-of-both-services-here',
  };
  service = await StandaloneHere.start(env);
  client = createClient({ url: service.url, ...ADMIN });
}, 60_000);
afterAll(async () => {
  await service.stopAndRemove();
  await database.drop();
}, 60_000);

const upload = async (...names: string[]) => {
  const signals = names.map((name) => [`${name}.json`, plainSignal(name, name)]);
  const { uploadId } = await client.uploadZip(await zipOf(Object.fromEntries(signals)));
  return client.waitUntilFolded(uploadId);
};

it('follows changes across a restart of the service, without gaps and repeats', async () => {
  const taken: Change[] = [];
  const stood: string[] = [];
  const ended = new AbortController();
  const { signal } = ended;
  const follow = async () => {
    const onOpen = (id: string) => stood.push(id);
    for await (const change of client.changes({ topics: ['findings'], signal, onOpen })) taken.push(change);
  };
  const following = follow();
  await until('the stream', () => stood.length === 1);
  await upload('a', 'b');
  await until('two changes', () => taken.length === 2);
  await service.stopAndRemove();
  service = await StandaloneHere.start(env);
  await upload('c', 'd');
  await until('four changes', () => taken.length === 4);
  ended.abort();
  await following;
  expect(taken.map(({ kind, data }) => kind === 'finding' && data.name).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(4);
  expect(stood.length).toBeGreaterThan(1);

  // A stored id, when sent again, is the position after its change. Changes of two partitions have no order.
  const after = taken[1]!.id;
  const behind: Change[] = [];
  for await (const change of client.changes({ topics: ['findings'], after })) {
    behind.push(change);
    if (behind.length === 2) break;
  }
  const dataOf = (changes: Change[]) => new Set(changes.map(({ data }) => data));
  expect(dataOf(behind)).toEqual(dataOf(taken.slice(2)));
  expect(behind[1]!.id).toBe(taken[3]!.id);
}, 120_000);

it('reports the problem of the request, and the request id', async () => {
  const zip = await zipOf({ 'good.json': plainSignal('good', 'h'), 'bad.json': { version: '1.0' } });
  const failure = await client.uploadZip(zip).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ApiError', status: 400, request: 'POST /api/v3/signals/zip' });
  const { paths, requestId } = failure as { paths: string[]; requestId: string };
  expect(paths).toContain('bad.json: entity');
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await client.previewZip(zip, { skipInvalid: true })).toMatchObject({ dryRun: true, rejected: 1 });
});
