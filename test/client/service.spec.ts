import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Change, createClient, type PostureClient } from '../../client/src/index.ts';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { freePort } from '../support/free-port.ts';
import { ADMIN, StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

let port: string;
let service: StartedStandalone;
let client: PostureClient;

beforeAll(async () => {
  port = `${await freePort()}`;
  service = await StartedStandalone.start(undefined, { PORT: port });
  client = createClient({ url: service.url, ...ADMIN });
}, 60_000);
afterAll(() => service.stopAndRemove(), 60_000);

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
  await service.stop();
  service = await StartedStandalone.start(service.dataDir, { PORT: port });
  await upload('c', 'd');
  await until('four changes', () => taken.length === 4);
  ended.abort();
  await following;
  expect(taken.map(({ kind, data }) => kind === 'finding' && data.name).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(4);
  expect(stood.length).toBeGreaterThan(1);

  // A stored id, when sent again, is the position after its change.
  const [third] = taken.slice(2);
  const behind = client.changes({ topics: ['findings'], after: taken[1]!.id });
  expect((await behind.next()).value).toEqual(third);
  await behind.return();
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
