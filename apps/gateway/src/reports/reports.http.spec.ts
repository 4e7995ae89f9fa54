import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import type { Answer, ApiClient } from '../../../../test/support/api-client.ts';
import { interruptUpload } from '../../../../test/support/interrupt-upload.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const MAP = {
  name: 'own-tool',
  title: 'Own tool (JSON)',
  unit: 'a result',
  source: 'Own tool',
  kind: 'json',
  forms: [{ marks: ['$.tool=own'], records: [{ list: '$.results[]' }] }],
  asset: { name: '{host}' },
  finding: {
    type: 'va',
    name: '{title}',
    description: '{text}',
    status: { value: '{state}', words: { open: 'fail' } },
  },
};

let gateway: StartedGateway;
let client: ApiClient;
let maps: string;
/** The temporary files of the gateway, which runs in this process. */
let files: string;
const outerTmp = process.env.TMPDIR;

beforeAll(async () => {
  maps = await mkdtemp(join(tmpdir(), 'posture-maps-'));
  files = await mkdtemp(join(tmpdir(), 'posture-files-'));
  await writeFile(join(maps, 'own.json'), JSON.stringify(MAP));
  gateway = await StartedGateway.start({ folds: true, env: { POSTURE_MAPS: maps } });
  client = await gateway.client('analyst');
  process.env.TMPDIR = files;
});
afterAll(async () => {
  if (outerTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outerTmp;
  await gateway.stop();
  await rm(maps, { recursive: true });
  await rm(files, { recursive: true });
});

const send = (content: string | Buffer, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  client.request(
    'POST',
    `/api/v3/reports${query}`,
    new Blob([new Uint8Array(Buffer.from(content))]),
    headers,
  );

async function refused(status: number, message: RegExp, answer: () => Promise<Answer>): Promise<void> {
  const before = await gateway.logSize();
  const { status: actual, body } = await answer();
  expect({ status: actual, message: body.message }).toEqual({
    status,
    message: expect.stringMatching(message),
  });
  expect(await gateway.logSize()).toBe(before);
  expect(await readdir(files)).toEqual([]);
}

describe('POST /api/v3/reports', () => {
  it('recognizes a report, stores its signals as one upload, and says what became of each finding', async () => {
    const { content, read, mapped, signals, assets, notMapped } = fixtureNamed('Nessus v2');
    const { status, headers, body } = await send(content, '', { prefer: 'wait=60' });
    expect({ status, waited: headers.get('preference-applied') }).toEqual({ status: 200, waited: 'wait=60' });
    expect(body).toMatchObject({
      success: true,
      accepted: signals,
      ignored: 0,
      warnings: [],
      ...{ format: 'nessus', read, mapped, signals, assets },
    });
    expect(body.listed).toEqual(notMapped);
    expect(body.listedFindings).toHaveLength(read - mapped);
    expect(await client.get(`/api/v3/uploads/${body.uploadId}`)).toMatchObject({
      kind: 'zip',
      by: 'analyst',
      done: true,
      accepted: signals,
    });
    expect((await client.all('/api/v3/assets')).length).toBe(assets);
    expect(await readdir(files)).toEqual([]);
  });

  it('stores a report once under an Idempotency-Key, and refuses the key for another', async () => {
    const key = { 'idempotency-key': 'job-17' };
    const first = await send(fixtureNamed('Trivy').content, '?asset=shop', key);
    const size = await gateway.logSize();
    expect(await send(fixtureNamed('Trivy').content, '?asset=shop', key)).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(await gateway.logSize()).toBe(size);
    await refused(422, /different body/, () => send(fixtureNamed('Trivy').content, '?asset=mall', key));
  });

  it('appends nothing to an interrupted report if the conversion has changed (R-UPL-3)', async () => {
    const report = (...hosts: string[]) =>
      JSON.stringify({ tool: 'own', results: hosts.map((host) => ({ host, title: 'Hole', state: 'open' })) });
    const key = { 'idempotency-key': 'interrupted', prefer: 'wait=60' };
    const [map, sent] = [join(maps, 'own.json'), report('late-1', 'late-2')];
    const attempt = () => send(sent, '?allowEmpty=true', key);
    const interrupt = () => interruptUpload(gateway.database.db, 'interrupted');
    const first = await attempt();
    expect(first.status).toBe(200);
    await interrupt();
    const continued = await attempt();
    expect([continued.status, continued.body.uploadId]).toEqual([200, first.body.uploadId]);
    const changed = (finding: object) =>
      writeFile(map, JSON.stringify({ ...MAP, finding: { ...MAP.finding, ...finding } }));
    try {
      await changed({ name: 'another {title}' });
      expect((await attempt()).body).toEqual(continued.body);
      await interrupt();
      const message = /^the conversion of the report has changed .*: send the upload with a new key$/;
      await refused(409, message, attempt);
      await changed({ status: { value: '{state}', words: { closed: 'fail' } } });
      await refused(409, message, attempt);
    } finally {
      await changed({});
    }
    expect((await attempt()).body.uploadId).toBe(first.body.uploadId);
  });

  it('takes the asset, source, time and severity that the report does not state', async () => {
    const own = (title: string) => ({ title, state: 'open' });
    const query = '?asset=shop-1&source=Nightly&observedAt=2026-01-02T03:04:05Z&format=own-tool';
    const { body } = await send(
      JSON.stringify({ tool: 'own', results: [own('Weak lock'), own('Weak door')] }),
      query,
      { prefer: 'wait=60' },
    );
    expect(body).toMatchObject({ format: 'own-tool', mapped: 2 });
    const asset = (await client.all('/api/v3/assets')).find(({ name }) => name === 'shop-1');
    expect(asset.sources).toEqual(['Nightly']);
    const findings = await client.all(`/api/v3/findings?assetId=${asset.id}`);
    expect(findings.map(({ lastSeen }) => lastSeen)).toEqual([
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04:05.000Z',
    ]);
  });

  it('previews, and replaces an assessment', async () => {
    const report = (...titles: string[]) =>
      JSON.stringify({
        tool: 'own',
        results: titles.map((title) => ({ host: 'gate-1', title, state: 'open' })),
      });
    await send(report('Old', 'Kept'), '', { prefer: 'wait=60' });
    const size = await gateway.logSize();
    const { body: preview } = await send(report('Kept'), '?replace=va&dryRun=true');
    expect(preview).toMatchObject({
      dryRun: true,
      accepted: 1,
      outcome: { retired: 1, created: 0 },
      findings: [{ asset: 'gate-1', name: 'Old', would: 'retired', reason: 'replaced' }],
      ...{ format: 'own-tool', read: 1, mapped: 1 },
    });
    expect(await gateway.logSize()).toBe(size);
    const { body } = await send(report('Kept'), '?replace=va', { prefer: 'wait=60' });
    expect((await client.get(`/api/v3/uploads/${body.uploadId}`)).outcome).toMatchObject({ retired: 1 });
    await refused(400, /none of its findings is mapped.*allowEmpty=true/, () =>
      send(report(), '?replace=va'),
    );
    expect(await send(report(), '?replace=va&allowEmpty=true')).toMatchObject({
      status: 200,
      body: { uploadId: null, accepted: 0, read: 0 },
    });
    expect((await send(report(), '?dryRun=true')).body).toMatchObject({ accepted: 0, findings: [] });
  });

  it('reads a report in gzip', async () => {
    const { body } = await send(gzipSync(fixtureNamed('Nessus v2').content), '?dryRun=true', {
      'content-encoding': 'gzip',
    });
    expect(body.format).toBe('nessus');
  });

  it('lists the formats, with the maps of the site', async () => {
    const viewer = await gateway.client('viewer');
    const { items } = await viewer.get('/api/v3/reports/formats');
    expect(items).toContainEqual({
      name: 'own-tool',
      aliases: [],
      title: 'Own tool (JSON)',
      unit: 'a result',
    });
    expect(items.map(({ name }: { name: string }) => name)).toContain('nessus');
  });
});

describe('a report that cannot be taken changes nothing, and leaves no file', () => {
  const sarif = fixtureNamed('SARIF').content;
  const gzip = { 'content-encoding': 'gzip' };

  it.each<[string, number, RegExp, string | Buffer, string, Record<string, string>]>([
    ['an unknown format', 400, /^the report has an unknown format: set format \(GET/, '{"a":1}', '', {}],
    ['a name of no format', 400, /^format must be one of nessus, /, sarif, '?format=nonsense', {}],
    ['another format', 400, /^the report: is not a Trivy report/, sarif, '?format=trivy', {}],
    ['no report', 400, /^the report has an unknown format/, 'hello', '', {}],
    ['an empty body', 400, /^the report is empty/, '', '', {}],
    ['a truncated report', 400, /^the report, .*: /, sarif.slice(0, -20), '', {}],
    ['a wrong type to replace', 400, /^replace must be one of/, sarif, '?replace=nonsense', {}],
    ['a blank asset', 400, /^asset must not be blank/, sarif, '?asset=%20', {}],
    [
      'an application with the name of a host',
      400,
      /^the report, .*: its asset name Acme\.Web has dots/,
      sarif,
      '?asset=Acme.Web&replace=va',
      {},
    ],
    ['a parameter that does not exist', 400, /strict/, sarif, '?strict=true', {}],
    [
      'a form',
      415,
      /^send the report as the body/,
      'x',
      '',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    ['another encoding', 415, /^Content-Encoding must be gzip/, sarif, '', { 'content-encoding': 'br' }],
    ['what is not gzip', 400, /^the body is not gzip/, sarif, '', gzip],
    [
      'truncated gzip',
      400,
      /^the body is not gzip, or it is truncated/,
      gzipSync(sarif).subarray(0, -9),
      '',
      gzip,
    ],
    ['a gzip bomb', 413, /^the report exceeds 32 MB/, gzipSync(Buffer.alloc(33 * 1_048_576)), '', gzip],
  ])('%s', async (_, status, message, content, query, headers) => {
    await refused(status, message, () => send(content, query, headers));
  });

  it('one that is larger than the limit', async () => {
    await refused(413, /^the report exceeds 32 MB/, () => send(Buffer.alloc(33 * 1_048_576, ' ')));
  });

  it.each([
    ['spaces', [Buffer.alloc(33 * 1_048_576, ' ')], {}],
    // A header, and blocks of deflate without content.
    [
      'gzip that unpacks to nothing',
      [
        Buffer.from('1f8b0800000000000003', 'hex'),
        Buffer.alloc(33 * 1_048_576, Buffer.from('000000ffff', 'hex')),
      ],
      gzip,
    ],
  ])('%s whose length is not announced; the connection takes the next request', async (_, parts, headers) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (body: Buffer[]) =>
      new Promise<Answer & { isReused: boolean }>((resolve, reject) => {
        const sent = request(`${gateway.url}/api/v3/reports`, {
          method: 'POST',
          agent,
          headers: { authorization: client.authorization, 'transfer-encoding': 'chunked', ...headers },
        });
        sent.on('error', reject).on('response', async (answer) => {
          const { message } = JSON.parse(await text(answer));
          resolve({
            status: answer.statusCode!,
            headers: new Headers(),
            body: { message },
            isReused: sent.reusedSocket,
          });
        });
        Readable.from(body).pipe(sent);
      });
    try {
      await refused(413, /^the report exceeds 32 MB/, () => post(parts));
      expect(await post([])).toMatchObject({ status: 400, isReused: true });
    } finally {
      agent.destroy();
    }
  });

  it('one that several formats recognize', async () => {
    const list = JSON.stringify({ tool: 'own', results: [{ host: 'a', title: 'b' }], ...JSON.parse(sarif) });
    await refused(400, /^the report can be of several formats: sarif, own-tool: set format/, () =>
      send(list),
    );
  });

  it('one with more signals than one upload takes', async () => {
    const text = () => randomBytes(20_000).toString('base64');
    const results = Array.from({ length: 1_000 }, (_, i) => ({
      host: `h${i}`,
      title: 't',
      state: 'open',
      text: text(),
    }));
    const report = JSON.stringify({ tool: 'own', results });
    await refused(413, /more signals than one upload takes/, () => send(report));
  });

  it('one whose client hangs up in the middle', async () => {
    const before = await gateway.logSize();
    const half = begin();
    await until('the report is being received', async () => (await readdir(files)).length === 1);
    half.destroy();
    await until('its files are removed', async () => (await readdir(files)).length === 0);
    expect(await gateway.logSize()).toBe(before);
  });

  it('a third at a time is a 429, and nothing of it was done', async () => {
    const two = [begin(), begin()];
    await until('two reports are being received', async () => (await readdir(files)).length === 2);
    const { status, headers, body } = await send(sarif);
    expect({ status, message: body.message, after: headers.get('retry-after') }).toEqual({
      status: 429,
      message: '5',
      after: '5',
    });
    for (const each of two) each.destroy();
    await until('their files are removed', async () => (await readdir(files)).length === 0);
  });

  /** A request that sends half of its body. */
  function begin() {
    const half = request(`${gateway.url}/api/v3/reports`, {
      method: 'POST',
      headers: { authorization: client.authorization, 'content-length': '1000' },
    });
    half.on('error', () => {});
    half.write('{"version"');
    return half;
  }
});

it('reports that wait for the fold occupy no slot and no disk (R-REP-7)', async () => {
  const idle = await StartedGateway.start();
  const giveUp = new AbortController();
  try {
    const analyst = await idle.client('analyst');
    const { content } = fixtureNamed('Trivy');
    const post = (headers: Record<string, string> = {}) =>
      analyst.request('POST', '/api/v3/reports?asset=shop', new Blob([content]), headers, giveUp.signal);
    await post();
    const size = await idle.logSize();
    const waiting = Promise.allSettled([1, 2].map(() => post({ prefer: 'wait=60' })));
    await until('both are stored and their files removed', async () => {
      const left = (await readdir(files)).filter((name) => name.startsWith('posture-report-'));
      return (await idle.logSize()) === 3 * size && left.length === 0;
    });
    expect((await post()).status).toBe(200);
    giveUp.abort();
    expect(await waiting).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  } finally {
    giveUp.abort();
    await idle.stop();
  }
});

it('a wrong map in POSTURE_MAPS prevents the start, with its line', async () => {
  const wrong = await mkdtemp(join(tmpdir(), 'wrong-maps-'));
  try {
    await writeFile(join(wrong, 'wrong.json'), '{\n  "name": 1\n}');
    await expect(StartedGateway.start({ env: { POSTURE_MAPS: wrong } })).rejects.toThrow(
      /^POSTURE_MAPS: .*wrong\.json, line /,
    );
  } finally {
    await rm(wrong, { recursive: true });
  }
});
