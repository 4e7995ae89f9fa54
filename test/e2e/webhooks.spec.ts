import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { pageBlocks } from '../support/page-blocks.ts';
import { publishedFinding } from '../support/published-finding.ts';
import { untilScored } from '../support/scored.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { isSignedBy, WebhookReceiver } from '../support/webhook-receiver.ts';

const HOSTS = 5;
const PATH = '/api/v3/webhooks';

let database: TestDatabase;
let service: StartedStandalone;
let client: ApiClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [database, receiver] = await Promise.all([testDatabase(), WebhookReceiver.start()]);
  await start();
  await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
}, 120_000);
afterAll(async () => {
  receiver.close();
  await service.stopAndRemove();
  await database.drop();
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(service?.dataDir, { DATABASE_URL: database.url });
  client = await service.client();
}

async function send(method: string, path: string, body: object = {}): Promise<any> {
  const { status, body: answer } = await client.request(method, path, JSON.stringify(body));
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
  return answer;
}

/** New findings over some hosts; returns the upload's id. */
async function upload(name: string, count: number): Promise<string> {
  const entries = Array.from({ length: count }, (_, i) => [
    `${i}.json`,
    plainSignal(`${name} ${i}`, `${name}-host${i % HOSTS}`),
  ]);
  const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)));
  expect(status).toBe(200);
  return body.uploadId;
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${i}`).sort();
const findingsOf = (events: any[]) => events.filter(({ type }) => type.startsWith('posture.finding.'));
const namesOf = (events: any[]) => [...new Set(findingsOf(events).map(({ data }) => data.name))].sort();
const caughtUp = (id: string) =>
  until('everything is delivered', async () => (await client.get(`${PATH}/${id}`)).behind === 0);

describe('webhooks of the started service', () => {
  let hook: { id: string; secret: string; position: string };

  it('deliver the changes of an upload, signed, in order, with the asset before its findings', async () => {
    hook = await send('POST', PATH, { url: receiver.url });
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: true, status: 204 });
    const uploadId = await upload('live', 250);
    await until('all findings', () => namesOf(receiver.events).length === 250);
    const events = receiver.received.slice(1).flatMap(({ events: own }) => own);
    expect(namesOf(events)).toEqual(numbered('live', 250));
    const known = new Set<string>();
    const last = new Map<string, number>();
    for (const { type, subject, source, sequence, data } of events) {
      const [, kind] = type.split('.');
      if (kind === 'asset') known.add(subject);
      if (kind === 'finding') {
        expect(known).toContain(data.assetId);
        expect(data.change.cause.uploadId).toBe(uploadId);
      }
      const place = `${source} ${kind}`;
      if (last.has(place)) expect(Number(sequence)).toBe(last.get(place)! + 1);
      last.set(place, Number(sequence));
    }
    expect(receiver.received.every((delivery) => isSignedBy(hook.secret, delivery))).toBe(true);
    const { data } = findingsOf(events)[0];
    expect(data).toMatchObject(publishedFinding(await client.get(`/api/v3/findings/${data.id}`)));
  }, 60_000);

  it('deliver again from a position, with the same event ids', async () => {
    await untilScored(database.pool);
    await caughtUp(hook.id);
    const before = receiver.received.slice(1).flatMap(({ events }) => events);
    const messages = new Set(receiver.received.map(({ id }) => id));
    const begun = receiver.received.length;
    await send('POST', `${PATH}/${hook.id}/replay`, { from: hook.position });
    await caughtUp(hook.id);
    const again = receiver.received.slice(begun);
    expect(again.some(({ id }) => messages.has(id))).toBe(false);
    const idsOf = (events: any[]) => [...new Set(events.map(({ id }) => id))].sort();
    expect(idsOf(again.flatMap(({ events }) => events))).toEqual(idsOf(before));
    // Behind an event of the middle comes what followed it, and nothing else of its partition and topic.
    const middle = findingsOf(before)[120];
    const from = receiver.received.length;
    await send('POST', `${PATH}/${hook.id}/replay`, { from: middle.position });
    await caughtUp(hook.id);
    const behind = findingsOf(receiver.received.slice(from).flatMap(({ events }) => events));
    const isOfPlace = ({ source }: any) => source === middle.source;
    expect(behind.filter(isOfPlace).map(({ sequence }) => Number(sequence))).toEqual(
      findingsOf(before)
        .filter(isOfPlace)
        .map(({ sequence }) => Number(sequence))
        .filter((sequence) => sequence > Number(middle.sequence)),
    );
  }, 60_000);

  it('killed before it heard that a delivery was taken, it sends that again under its id, and loses nothing', async () => {
    const begun = receiver.received.length;
    let held: (() => void) | undefined;
    receiver.receive = (_, count) =>
      count === begun + 2
        ? new Promise((resolve) => {
            held = () => resolve({ status: 200 });
          })
        : { status: 200 };
    await upload('killed', 230);
    await until('a delivery that is held', () => held !== undefined);
    await service.kill();
    held!();
    await start();
    await until(
      'all findings',
      () => namesOf(receiver.received.slice(begun).flatMap(({ events }) => events)).length === 230,
    );
    await caughtUp(hook.id);
    const [, cut, repeated] = receiver.received.slice(begun);
    expect(repeated!.id).toBe(cut!.id);
    expect(repeated!.events.map(({ id }) => id)).toEqual(cut!.events.map(({ id }) => id));
    const { items } = await client.get(`${PATH}/${hook.id}/deliveries?limit=500`);
    expect(items.every(({ status }: any) => status === 'delivered')).toBe(true);
    await send('DELETE', `${PATH}/${hook.id}`);
  }, 120_000);
});

describe('docs/webhooks.md', () => {
  const programs: ChildProcess[] = [];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'posture-webhooks-'));
  });
  afterAll(async () => {
    for (const program of programs) program.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const block = (language: string) =>
    pageBlocks('docs/webhooks.md').find((one) => one.language === language)!.text;
  const [python, node] = [
    { command: 'python3', file: 'receiver.py', text: () => block('python') },
    {
      command: process.execPath,
      file: 'receiver.mjs',
      text: () => ts.transpileModule(block('ts'), { compilerOptions: { module: 99, target: 99 } }).outputText,
    },
  ] as const;

  it.each([python, node])(
    '$file verifies deliveries, accepts each once, and rejects forged and incomplete ones',
    async (program) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const { id, secret } = await send('POST', PATH, { url, topics: ['findings'] });
      const file = join(folder, program.file);
      await writeFile(file, program.text());
      const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret };
      const child = spawn(program.command, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      programs.push(child);
      await once(child, 'spawn');
      let output = '';
      child.stdout!.on('data', (text) => {
        output += text;
      });
      const events = () =>
        output
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line));
      await until('the receiver', () =>
        fetch(url, { method: 'POST', body: '[]' }).then(
          ({ status }) => status === 401,
          () => false,
        ),
      );
      const cut = connect(port, '127.0.0.1').resume();
      cut.end('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 1000\r\n\r\n[{');
      await once(cut, 'close');
      expect(await send('POST', `${PATH}/${id}/test`)).toMatchObject({ ok: true, status: 204 });
      await upload(program.file, 20);
      await until('all findings', () => namesOf(events().slice(1)).length === 20);
      await caughtUp(id);
      await send('POST', `${PATH}/${id}/replay`, { from: new Date(0).toISOString() });
      await caughtUp(id);
      const ids = events().map((one) => one.id);
      expect(new Set(ids).size).toBe(ids.length);
      const forged = await fetch(url, {
        method: 'POST',
        body: '[]',
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        },
      });
      expect(forged.status).toBe(401);
      await send('DELETE', `${PATH}/${id}`);
    },
    60_000,
  );

  it('names existing fields of an event, and its curl command works', async () => {
    const example = JSON.parse(block('json'))[0];
    const sent = receiver.events.find(({ type }) => type.startsWith('posture.finding.'));
    expect(Object.keys(example).sort()).toEqual(Object.keys(sent).sort());
    const body = /-d '(.+)'/.exec(block('sh'))![1]!;
    const { id, ...added } = await send('POST', PATH, { ...JSON.parse(body), enabled: false });
    expect(added).toMatchObject(JSON.parse(body));
    await send('DELETE', `${PATH}/${id}`);
  });
});

it('does not hold up Ctrl-C while a receiver keeps its answer back', async () => {
  receiver.receive = () => 'silent';
  const count = receiver.received.length;
  await send('POST', PATH, { url: receiver.url, from: new Date(0).toISOString() });
  await until('a delivery', () => receiver.received.length > count);
  expect(await service.stop()).toBe(0);
}, 60_000);
