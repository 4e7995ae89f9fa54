import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Settings } from '#libs/domain';
import { type ApiClient, plainSignal, zipOf } from '../../../../../test/support/api-client.ts';
import { interruptUpload } from '../../../../../test/support/interrupt-upload.ts';
import { rawZip } from '../../../../../test/support/raw-zip.ts';
import { retainedBytes } from '../../../../../test/support/retained-bytes.ts';
import { StartedGateway } from '../../../../../test/support/started-gateway.ts';

const MB = 1_048_576;
let gateway: StartedGateway;
let client: ApiClient;
const served: Partial<Settings> = {};
beforeAll(async () => {
  gateway = await StartedGateway.start({ settings: served });
  client = await gateway.client();
});
afterAll(() => gateway.stop());

const text = (name: string, host: string, given = {}) => JSON.stringify(plainSignal(name, host, given));
const malformed = text('broken', 'web02').replace('"va"', '"nonsense"');

/** Of a whole upload, in the order of the log. */
async function shapesOf(uploadId: string): Promise<string[]> {
  const events = await gateway.eventsOf(uploadId);
  return events.map(
    ({ envelope, payload }) => `${payload.type} ${envelope.entityKey} ${envelope.cause.entry}`,
  );
}

type Answer = Awaited<ReturnType<ApiClient['signal']>>;

interface Refusal {
  statusCode: number;
  message: string;
  errors: { entry: string; field: string; message: string }[];
}

async function refusedAndUnmoved(answer: () => ReturnType<ApiClient['zip']>): Promise<Refusal> {
  const before = await gateway.logSize();
  const { status, body } = await answer();
  expect({ status, statusCode: body.statusCode }).toEqual({ status: 400, statusCode: 400 });
  expect(typeof body.message).toBe('string');
  expect(await gateway.logSize()).toBe(before);
  return body;
}

describe('POST /api/v3/signals/zip (R-ZIP-1)', () => {
  it('answers once the log has every signal, in central-directory order (R-UPL-1, R-ZIP-4)', async () => {
    const zip = await zipOf({
      'b.json': plainSignal('first', 'web01'),
      'deep/A.JSON': `\uFEFF${text('second', 'web01')}`,
      '__MACOSX/._a.json': 'not json',
      'deep/.DS_Store': 'x',
      'Thumbs.db': 'x',
      'c.json': plainSignal('third', 'web01', { expiresAt: '2020-01-01T00:00:00.000Z' }),
    });
    const { status, body } = await client.zip(zip);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: '3 signals accepted; 1 of them expired (no finding created)',
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accepted: 3,
      ignored: 1,
      rejected: 0,
      errors: [],
      warnings: [],
    });
    expect(await shapesOf(body.uploadId)).toEqual([
      'SignalReceived machine:web01 b.json',
      'SignalReceived machine:web01 deep/A.JSON',
      'SignalReceived machine:web01 c.json',
    ]);
    const [first] = await gateway.eventsOf(body.uploadId);
    expect(first!.envelope).toMatchObject({
      cause: { kind: 'zip', entryIndex: 0, ordinal: 1, count: 3, user: 'admin' },
      upload: { events: 3, signals: 3, rejected: 0 },
    });
    expect(await client.get(`/api/v3/uploads/${body.uploadId}`)).toMatchObject({ kind: 'zip', accepted: 3 });
  });

  it('config.json in the single top folder; replaced types are closed per entity (R-ZIP-10)', async () => {
    const zip = await zipOf({
      'up/config.json': {
        fullAssessmentForTypes: ['VA'],
        shouldImportAssets: false,
        shouldAllowOverrideAFControl: true,
        shouldUpdateExistingAssetsMetadata: false,
        assetMatchingCriteria: ['fqdn'],
      },
      'up/1.json': plainSignal('a finding', 'web01.acme.com'),
    });
    const { status, body } = await client.zip(zip);
    expect(status).toBe(200);
    expect(body.warnings).toMatchObject([{ entry: 'config.json', field: 'assetMatchingCriteria' }]);
    expect(await gateway.eventsOf(body.uploadId)).toMatchObject([
      {
        envelope: { upload: { fullAssessmentForTypes: ['va'], assetMatchingCriteria: ['fqdn'] } },
        payload: {
          type: 'SignalReceived',
          overrideAccepted: true,
          assetRules: { importAssets: false, updateMetadata: false },
        },
      },
      { payload: { type: 'AssessmentClosed', types: ['va'], names: ['web01.acme.com'] } },
    ]);
  });

  it('one bad entry among 1,000 rejects all; message and errors say which (R-ZIP-5)', async () => {
    const entries = Array.from({ length: 1_000 }, (_, i) => [
      `${i}.json`,
      text(`finding ${i}`, `web${i % 50}`),
    ]);
    entries[777]![1] = malformed;
    const zip = await zipOf(Object.fromEntries(entries));
    const body = await refusedAndUnmoved(() => client.zip(zip));
    expect(body.message).toMatch(
      /^1 of 1000 entries malformed, no signals were stored; the first: "777.json": /,
    );
    expect(body.errors).toEqual([
      { entry: '777.json', field: expect.stringContaining('type'), message: expect.any(String) },
    ]);
  });

  it('lists the first 100 of many malformed entries (R-ZIP-5)', async () => {
    const entries = Array.from({ length: 150 }, (_, i) => [`${i}.json`, '{broken']);
    const body = await refusedAndUnmoved(async () => client.zip(await zipOf(Object.fromEntries(entries))));
    expect(body.message).toMatch(/^150 of 150 entries malformed/);
    expect(body.errors).toHaveLength(100);
    expect(body.errors[0]).toEqual({ entry: '0.json', field: '', message: expect.stringMatching(/line 1/) });
  });

  it('invalid=skip takes the rest, reports the bad and withholds what would be replaced (R-ZIP-6)', async () => {
    const upload = async (more: Record<string, unknown>) => {
      const zip = await zipOf({
        'config.json': { fullAssessmentForTypes: ['va'] },
        '1.json': plainSignal('good', 'web01'),
        '2.json': plainSignal('good', 'web02'),
        ...more,
      });
      const { status, body } = await client.zip(zip, {}, '?invalid=skip');
      expect(status).toBe(200);
      return body;
    };
    const oneEntity = await upload({ '3.json': malformed });
    expect(oneEntity).toMatchObject({ accepted: 2, ignored: 0, rejected: 1, errors: [{ entry: '3.json' }] });
    expect((await shapesOf(oneEntity.uploadId)).filter((shape) => shape.startsWith('Assess'))).toEqual([
      'AssessmentClosed machine:web01 null',
    ]);
    const unreadables = [
      { '3.json': '{broken' },
      { 'readme.txt': 'x' },
      { '3.json': '[]' },
      { '3.json': plainSignal('nameless', '.') },
    ];
    for (const unreadable of unreadables) {
      const whole = await upload(unreadable);
      expect(whole).toMatchObject({ accepted: 2, rejected: 1 });
      expect((await shapesOf(whole.uploadId)).filter((shape) => shape.startsWith('Assess'))).toEqual([]);
    }
    const none = await refusedAndUnmoved(async () =>
      client.zip(await zipOf({ 'a.json': malformed }), {}, '?invalid=skip'),
    );
    expect(none.message).toMatch(/^1 of 1 entries malformed/);
  });

  it.each([
    ['beside a folder', ['README.txt', 'up/config.json']],
    ['twice at the root', ['config.json', 'config.json']],
    ['in a deeper folder too', ['config.json', 'up/deep/config.json']],
    ['in another case', ['up/Config.json']],
  ])('a config.json %s refuses all, also with invalid=skip (R-ZIP-3)', async (_, names) => {
    const data = JSON.stringify({ shouldImportAssets: false });
    const zip = rawZip([
      ...names.map((name) => ({ name, data })),
      { name: 'up/1.json', data: text('a finding', 'web01') },
    ]);
    const body = await refusedAndUnmoved(() => client.zip(zip, {}, '?invalid=skip'));
    expect(body.message).toBe(
      `entry "${names.at(-1)}": a ZIP has one config.json, at the root or in the folder that contains all other entries, named in lower case`,
    );
  });

  it('keeps order and loses nothing over many chunks, and JSON is taken meanwhile', async () => {
    const filler = 'x'.repeat(20_000);
    const entries = Array.from({ length: 400 }, (_, i) => [
      `${i}.json`,
      text(`finding ${i}`, `web${i % 7}`, { description: filler }),
    ]);
    const uploading = client.zip(await zipOf(Object.fromEntries(entries)));
    const meanwhile = await acceptedDuring(uploading, () => client.signal(plainSignal('quick', 'other')));
    const { status, body } = await uploading;
    expect({ status, accepted: body.accepted }).toEqual({ status: 200, accepted: 400 });
    const events = await gateway.eventsOf(body.uploadId);
    expect(events).toHaveLength(400);
    for (const host of ['web0', 'web3']) {
      const places = events
        .filter(({ envelope }) => envelope.entityKey === `machine:${host}`)
        .map(({ envelope }) => envelope.cause.entryIndex!);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
    expect(meanwhile).toBeGreaterThan(0);
  });

  it('takes signals of almost 1 MB with 9,000 instances each, which are many times as large when read', async () => {
    const instance = { type: 'va', status: { complianceStatus: 'fail' }, severity: { value: 5 }, extra: {} };
    const securityContexts = Array(9_000).fill(instance);
    const entries = Array.from({ length: 30 }, (_, i) => [
      `${i}.json`,
      plainSignal('many', `large${i}`, { securityContext: undefined, securityContexts }),
    ]);
    const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)));
    expect({ status, accepted: body.accepted }).toEqual({ status: 200, accepted: 30 });
  });

  it('the same key and file is appended once, in any form (R-UPL-3)', async () => {
    const zip = await zipOf({ 'a.json': plainSignal('once', 'web09') });
    const headers = { 'idempotency-key': 'zip-once' };
    const first = await client.zip(zip, headers);
    const size = await gateway.logSize();
    // fetch creates a new boundary for each form.
    expect((await client.zip(zip, headers)).body).toEqual(first.body);
    expect(await gateway.logSize()).toBe(size);
    expect((await client.zip(zip, headers, '?invalid=skip')).status).toBe(422);
  });

  it('a retry of an interrupted upload under other settings appends nothing (R-UPL-3)', async () => {
    const zip = await zipOf({
      'a.json': plainSignal('first', 'web09'),
      'b.json': plainSignal('second', 'web09'),
    });
    const send = (key: string) => client.zip(zip, { 'idempotency-key': key }, '?invalid=skip');
    await send('changed');
    await interruptUpload(gateway.database.db, 'changed');
    Object.assign(served, { version: 7 });
    const size = await gateway.logSize();
    const { status, body } = await send('changed');
    expect({ status, message: body.message }).toEqual({
      status: 409,
      message: expect.stringMatching(
        /^the settings have changed since the first attempt .*: send .* a new key$/,
      ),
    });
    expect(await gateway.logSize()).toBe(size);
    expect((await send('new')).body).toMatchObject({ accepted: 2 });
  });
});

/** How many requests were answered with 200, one after the other, while something else was in progress. */
async function acceptedDuring(other: Promise<unknown>, request: () => Promise<Answer>): Promise<number> {
  let isOver = false;
  void other.finally(() => {
    isOver = true;
  });
  for (let accepted = 0; ; accepted += 1) {
    const { status } = await request();
    if (isOver) return accepted;
    expect(status).toBe(200);
  }
}

describe('rejected archives (R-ZIP-9)', () => {
  const good = { name: 'a.json', data: text('a finding', 'web01') };
  const zeros = Buffer.alloc(MB, 32);
  const packed = deflateRawSync(zeros);

  it.each([
    ['empty', rawZip([]), /contains no signals/],
    ['only a config.json', rawZip([{ name: 'config.json', data: '{}' }]), /contains no signals/],
    ['not a ZIP', Buffer.from(good.data), /not a ZIP/],
    ['truncated', rawZip([good]).subarray(0, 80), /truncated/],
    ['encrypted', rawZip([{ ...good, flags: 1 }]), /"a.json": the entry is encrypted/],
    ['climbing', rawZip([{ ...good, name: '../a.json' }]), /"..\/a.json": the path leads outside/],
    ['an archive within', rawZip([good, { name: 'b.zip', data: rawZip([good]) }]), /"b.zip": archives/],
    ['another file within', rawZip([good, { name: 'readme.txt', data: 'x' }]), /"readme.txt": only \*\.json/],
    ['an array in an entry', rawZip([{ ...good, data: `[${good.data}]` }]), /1 of 1 entries malformed/],
    ['a config.json that is none', rawZip([good, { name: 'config.json', data: '[]' }]), /"config.json"/],
    ['a broken config.json', rawZip([good, { name: 'config.json', data: '{"a":' }]), /"config.json"/],
    ['an unknown setting', rawZip([good, { name: 'config.json', data: '{"shouldFly":true}' }]), /shouldFly/],
    [
      'a type that does not exist (R-ZIP-13)',
      rawZip([good, { name: 'config.json', data: '{"fullAssessmentForTypes":["va","vax"]}' }]),
      /fullAssessmentForTypes\[1\]/,
    ],
  ])('%s', async (_, zip, message) => {
    const body = await refusedAndUnmoved(() => client.zip(zip));
    expect(body.message).toMatch(message);
  });

  it.each([
    ['a high ratio', () => rawZip([{ name: 'a.json', data: Buffer.alloc(100 * MB) }])],
    [
      'a high ratio behind a lying size',
      () => rawZip([{ name: 'a.json', data: Buffer.alloc(100 * MB), uncompressedSize: 10 }]),
    ],
    [
      '300 entries of 1 MB each',
      () =>
        rawZip(
          Array.from({ length: 300 }, (_, i) => ({
            name: `${i}.json`,
            data: '',
            packed,
            uncompressedSize: MB,
          })),
        ),
    ],
    [
      'entries that overlap',
      () =>
        rawZip(
          Array.from({ length: 1_000 }, () => ({
            name: '0.json',
            data: '',
            packed,
            crc: crc32(zeros),
            uncompressedSize: MB,
            offset: 0,
          })),
        ),
    ],
    [
      '50,000 empty entries',
      () => rawZip(Array.from({ length: 50_000 }, (_, i) => ({ name: `${i}.json`, data: '' }))),
    ],
  ])('a bomb: %s, with memory flat', async (_, bomb) => {
    const zip = bomb();
    expect(zip.length).toBeLessThan(5 * MB);
    // What the first one leaves is the allocator's, and the same for any number of them.
    await refusedAndUnmoved(() => client.zip(zip));
    const before = retainedBytes('rss');
    for (let i = 0; i < 3; i++) await refusedAndUnmoved(() => client.zip(zip));
    expect(retainedBytes('rss') - before).toBeLessThan(150 * MB);
  });
});

describe('the form (R-ZIP-1)', () => {
  const send = (form: FormData) => client.request('POST', '/api/v3/signals/zip', form);
  const blob = async () =>
    new Blob([new Uint8Array(await zipOf({ 'a.json': plainSignal('form', 'web01') }))]);

  it('finds the part by its name, for any declared type and file name', async () => {
    for (const [type, fileName] of [
      ['application/octet-stream', 'x.bin'],
      ['text/plain', 'a'],
      ['', '../../etc'],
    ]) {
      const form = new FormData();
      form.append('comment', 'a plain field is left alone');
      form.append('file', new Blob([await blob()], { type: type! }), fileName);
      expect((await send(form)).status).toBe(200);
    }
  });

  it('takes the part without a file name too', async () => {
    const bytes = Buffer.from(await (await blob()).arrayBuffer());
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await client.request(
      'POST',
      '/api/v3/signals/zip',
      new Blob([new Uint8Array(body)]),
      headers,
    );
    expect(answer.status).toBe(200);
  });

  it('a wrong part name, no file, two files: 400 with a message', async () => {
    const wrong = new FormData();
    wrong.append('upload', await blob(), 's.zip');
    expect((await refusedAndUnmoved(() => send(wrong))).message).toMatch(/"upload".*must be named `file`/);
    const none = new FormData();
    none.append('comment', 'x');
    expect((await refusedAndUnmoved(() => send(none))).message).toMatch(/no part named `file`/);
    const two = new FormData();
    two.append('file', await blob(), 's.zip');
    two.append('file', await blob(), 't.zip');
    expect((await refusedAndUnmoved(() => send(two))).message).toMatch(/more than one part named `file`/);
  });

  it.each([
    ['no content type', {}, 'x', /multipart\/form-data/],
    ['a bare ZIP', { 'content-type': 'application/zip' }, 'PK', /multipart\/form-data/],
    ['no boundary', { 'content-type': 'multipart/form-data' }, 'x', /malformed/],
    [
      'a form cut off',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Dis',
      /malformed/,
    ],
    [
      'a file cut off',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nPK',
      /malformed/,
    ],
    ['an empty form', { 'content-type': 'multipart/form-data; boundary=b' }, '', /no part named/],
  ])('%s: 400 in words', async (_, headers, content, message) => {
    const body = await refusedAndUnmoved(() =>
      client.request('POST', '/api/v3/signals/zip', new Blob([content]), headers as Record<string, string>),
    );
    expect(body.message).toMatch(message);
  });

  it('takes a part of exactly 5 MB, and answers 413 to one byte more', async () => {
    // A skipped entry is never unpacked: it only makes the archive large.
    const padded = (pad: Buffer) =>
      rawZip([
        { name: 'a.json', data: text('padded', 'web01') },
        { name: '.pad', data: '', packed: pad, method: 0, uncompressedSize: 0 },
      ]);
    const largest = padded(randomBytes(5 * MB - padded(Buffer.alloc(0)).length));
    expect(largest.length).toBe(5 * MB);
    expect((await client.zip(largest)).status).toBe(200);
    const tooLarge = Buffer.concat([largest, Buffer.alloc(1)]);
    expect(await client.zip(tooLarge)).toMatchObject({
      status: 413,
      body: { message: 'the ZIP exceeds 5 MB: split it, with all signals of an asset in the same ZIP' },
    });
  });
});
