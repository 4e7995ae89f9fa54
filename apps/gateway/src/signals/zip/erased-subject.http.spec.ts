import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../../test/support/api-client.ts';
import { interruptUpload } from '../../../../../test/support/interrupt-upload.ts';
import { StartedGateway } from '../../../../../test/support/started-gateway.ts';

const ENV = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) };

let gateway: StartedGateway;
let admin: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: ENV });
  admin = await gateway.client('admin');
});
afterAll(() => gateway.stop());

const signalOf = (name: string) => plainSignal('leaked password', '', { entity: { type: 'user', name } });

const SUBJECT_ERASED = expect.stringMatching(
  /^a subject of the upload was erased since .*: send .* a new key$/,
);

async function erase(name: string): Promise<void> {
  const erasure = { subject: { type: 'user', name }, reason: 'on request' };
  const json = { 'content-type': 'application/json' };
  const { status, body } = await admin.request('POST', '/api/v3/erasures', JSON.stringify(erasure), json);
  expect([status, body.state]).toEqual([200, 'erased']);
}

it('a retry of an interrupted ZIP after an erasure of a subject appends nothing (R-UPL-3)', async () => {
  const zip = await zipOf({
    'a.json': signalOf('ana'),
    'b.json': signalOf('ben'),
    'c.json': signalOf('cleo'),
  });
  const send = (key: string) => admin.zip(zip, { 'idempotency-key': key });
  const interrupt = () => interruptUpload(gateway.database.db, 'interrupted');
  const first = await send('interrupted');
  await admin.folded(first.body.uploadId);
  await interrupt();
  const continued = await send('interrupted');
  expect([continued.status, continued.body.uploadId]).toEqual([200, first.body.uploadId]);
  await interrupt();
  await erase('ana');
  const size = await gateway.logSize();
  expect(await send('interrupted')).toMatchObject({ status: 409, body: { message: SUBJECT_ERASED } });
  expect(await gateway.logSize()).toBe(size);
  expect((await send('new')).body).toMatchObject({ accepted: 3 });
});

it('a retry of an interrupted signal after an erasure of its subject appends nothing (R-UPL-3)', async () => {
  const send = (key: string) => admin.signal(signalOf('dora'), { 'idempotency-key': key });
  const interrupt = () => interruptUpload(gateway.database.db, 'interrupted-signal');
  const first = await send('interrupted-signal');
  await admin.folded(first.body.uploadId);
  await interrupt();
  expect(await send('interrupted-signal')).toMatchObject({ status: 200, body: first.body });
  await interrupt();
  await erase('dora');
  const size = await gateway.logSize();
  expect(await send('interrupted-signal')).toMatchObject({ status: 409, body: { message: SUBJECT_ERASED } });
  expect(await gateway.logSize()).toBe(size);
  expect((await send('new-signal')).body).toMatchObject({ accepted: 1 });
});

const storedKeys = async () =>
  (await gateway.database.pool.query('select subject from subject_keys order by subject')).rows;

it('a preview stores no key of a person, and names the person', async () => {
  const before = await storedKeys();
  const zip = await zipOf({ 'a.json': signalOf('zoe'), 'b.json': signalOf('ben') });
  const { status, body } = await admin.zip(zip, {}, '?dryRun=true');
  expect([status, body.outcome]).toEqual([200, expect.objectContaining({ created: 1, unchanged: 1 })]);
  expect(body.findings).toMatchObject([{ asset: 'zoe', would: 'created' }]);
  expect(await storedKeys()).toEqual(before);
});

it('an upload that is refused stores no keys of persons', async () => {
  const before = await storedKeys();
  const names = Array.from({ length: 600 }, (_, i) => [`${i}.json`, signalOf(`new-${i}`)]);
  const refused = await admin.zip(await zipOf({ ...Object.fromEntries(names), 'z.json': '{' }));
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^1 of 601 entries/)]);
  expect(await storedKeys()).toEqual(before);
  const { status, body } = await admin.zip(await zipOf(Object.fromEntries(names)));
  expect([status, body.accepted]).toEqual([200, 600]);
  await admin.folded(body.uploadId);
  expect(await storedKeys()).toHaveLength(before.length + 600);
  const [asset] = await admin.all('/api/v3/assets?name=new-599');
  expect(asset.name).toBe('new-599');
});
