import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { part } from '../support/part-of-run.ts';
import { ADMIN, DEFAULT_PARTITIONS, StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';
import { inMb, residentBytes, watchMemory } from './bytes-held.ts';
import { isLong, printLine, SIZE } from './drill.ts';
import { JSON_TRAPS } from './json-traps.ts';
import { Load, LoadTally } from './load.ts';
import { INSPECTED, memoryUsed } from './memory-used.ts';
import { probe, RawConnection } from './raw-connection.ts';
import { SLOW_HEADERS, SlowClients, slowSignal, slowZip } from './slow-clients.ts';
import { textQueries } from './text-queries.ts';
import { TEXT_TRAPS } from './text-traps.ts';
import { damagedZips, ZIP_TRAPS } from './zip-traps.ts';

const MB = 1_048_576;
/**
 * Growth of the memory in use, without garbage: code that was not loaded before, and caches that fill. The projector alone
 * keeps up to 8 MB for each of 12 partitions.
 */
const GROWTH_BYTES_MAX = 96 * MB;
/** Node on a machine with much memory otherwise collects so late that the peak says nothing. */
const HEAP_MB_MAX = 512;
/** Growth of the resident memory under all load together: bodies of 64 MB, and two ZIP workers with a heap of 160 MB each. */
const PEAK_BYTES_MAX = 768 * MB;
/** Of one request: a regular expression that backtracks never ends; anything else does on the slowest machine. */
const ANSWER_MS_MAX = 120_000;
/** The service closes slow clients after 10 to 15 s, which would send for longer than this. */
const SLOW_MS_MAX = 300_000;
/** From the end of a load of minutes until all of it is folded. */
const RECOVERY_MS_MAX = 600_000;
const TRACE = /node_modules|\.[jt]s:\d+|\bat \S+ \(/;

let program: StartedStandalone;
let client: ApiClient;
let port: number;
let token: string;
let slow: SlowClients;
let heldBefore: number;
let usedBefore: number;
let memory: ReturnType<typeof watchMemory>;

beforeAll(async () => {
  const flags = `${INSPECTED.NODE_OPTIONS} --max-old-space-size=${HEAP_MB_MAX}`;
  program = await StartedStandalone.start(undefined, { ...DEFAULT_PARTITIONS, NODE_OPTIONS: flags });
  client = await program.client();
  port = Number(new URL(program.url).port);
  token = `Bearer ${await accessToken()}`;
  // The first uploads and lists load code, which must not count as growth.
  await new Load(client, 'warm').capacity(1, new LoadTally());
  heldBefore = await residentBytes(program.pid);
  usedBefore = await memoryUsed(program.log);
  memory = watchMemory(program.pid);
  const each = SIZE.slowConnections;
  slow = await SlowClients.start(port, [
    ...new Array<string>(each).fill(SLOW_HEADERS),
    ...new Array<string>(each).fill(slowSignal(token)),
    ...new Array<string>(each).fill(slowZip(token)),
  ]);
}, 400_000);
afterAll(async () => {
  slow?.stop();
  await program?.stopAndRemove();
});

async function accessToken({ username, password }: typeof ADMIN = ADMIN): Promise<string> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const { text } = await probe(`${program.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  return JSON.parse(text).accessToken;
}

const post = (path: string, body: Buffer | string) =>
  probe(`${program.url}${path}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: Buffer.from(body),
  });

/** Checks that it came, the form of an error, and that the answer contains no internals of the program. */
function expectCleanAnswer({ status, text, ms }: { status: number; text: string; ms: number }): void {
  expect(ms).toBeLessThan(ANSWER_MS_MAX);
  expect(text).not.toMatch(TRACE);
  if (status < 400) return;
  const body = JSON.parse(text);
  // The schema registry's routes have the errors of registries.
  const said = 'error_code' in body ? { error_code: expect.any(Number) } : { statusCode: status };
  expect(body).toMatchObject({ ...said, message: expect.any(String) });
}

describe('abuse: while slow clients keep connections open', () => {
  it('serves other clients, JSON and ZIP', async () => {
    expect(slow.areClosed).toBe(false);
    for (let i = 0; i < 5; i++) {
      const json = await client.signal(plainSignal('beside slow ones', `host${i}`));
      const zip = await client.zip(await zipOf({ 'a.json': plainSignal('beside slow ones', `host${i}`) }));
      expect([json.status, zip.status]).toEqual([200, 200]);
    }
  });

  it.each([
    ['headers of 1 MB', () => `GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'h'.repeat(MB)}`, 431, /exceed 16 KB/],
    ['10,000 headers', () => `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, 431, /exceed 16 KB/],
    ['a URL of 1 MB', () => `GET /${'u'.repeat(MB)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, /exceed 16 KB/],
    [
      'a query of 15 KB',
      () => `GET /health/live?${'q&'.repeat(7_500)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      200,
      /live/,
    ],
    [
      'a path of 15 KB',
      () => `GET /api/v3/assets/${'p'.repeat(15_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      414,
      /a value in the path is longer than 200 characters/,
    ],
    ['no HTTP at all', () => 'SSH-2.0-OpenSSH_9.7\r\n\r\n', 400, /not a valid HTTP/],
    ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, /not a valid HTTP/],
    [
      'two lengths',
      () => 'POST /api/v3/signals HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      400,
      /not a valid HTTP/,
    ],
    [
      'a length and chunks',
      () =>
        'POST /api/v3/signals HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      /not a valid HTTP/,
    ],
  ])('%s: an error message or an answer', async (_, text, status, message) => {
    const connection = await RawConnection.open(port);
    connection.send(text());
    await until(
      'the answer',
      () => connection.received.includes('\r\n\r\n') && /[}\n]$/.test(connection.received),
    );
    expect(connection.status).toBe(status);
    expect(connection.received).toMatch(message);
    expect(connection.received).not.toMatch(TRACE);
    connection.close();
  });

  it('2,000 pipelined requests are answered one after the other, even if no client reads them', async () => {
    const [reader, paused] = [await RawConnection.open(port), await RawConnection.open(port)];
    const many = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2_000);
    paused.stopReading();
    for (let i = 0; i < 5; i++) paused.send(many);
    reader.send(many);
    await until('the answers', () => reader.received.split('HTTP/1.1 200').length > 2_000);
    reader.close();
    paused.close();
  });

  it.each(JSON_TRAPS)('JSON: $what', async ({ body, status }) => {
    const answer = await post('/api/v3/signals', body());
    expectCleanAnswer(answer);
    expect({ status: answer.status, text: answer.text.slice(0, 300) }).toMatchObject({ status });
  });

  it('JSON: many of the largest bodies in parallel', async () => {
    const wide = JSON_TRAPS.find(({ what }) => what === '340,000 empty lists')!.body();
    const answers = await Promise.all(
      Array.from({ length: SIZE.largeBodies }, () => post('/api/v3/signals', wide)),
    );
    for (const { status } of answers) expect([200, 429]).toContain(status);
  });

  it.each(ZIP_TRAPS)('ZIP: $what', async ({ zip, status }) => {
    const answer = await client.zip(zip());
    expect({ status: answer.status, message: answer.body.message }).toMatchObject({ status });
    expect(JSON.stringify(answer.body)).not.toMatch(TRACE);
  });

  it('ZIP: cut off and damaged anywhere', async () => {
    for (const zip of damagedZips()) {
      const { status, body } = await client.zip(zip);
      expect([200, 400]).toContain(status);
      expect(JSON.stringify(body)).not.toMatch(TRACE);
    }
  });

  it('lists: hundreds in parallel are answered, or rejected with a message', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        probe(`${program.url}/api/v3/findings?q=trap&limit=500&severityMin=${i % 10}`, {
          headers: { authorization: token },
        }),
      ),
    );
    for (const answer of answers) {
      expect([200, 429, 503]).toContain(answer.status);
      expectCleanAnswer(answer);
    }
    // On a slow machine none of them may have its turn in time.
    await until('an answered list', async () => {
      const { status } = await probe(`${program.url}/api/v3/findings?q=trap`, {
        headers: { authorization: token },
      });
      return status === 200;
    });
  });

  it('interrupted uploads leave nothing', async () => {
    const cutOff = async (beginning: string) => {
      const connection = await RawConnection.open(port);
      connection.send(beginning + 'x'.repeat(500_000));
      connection.close();
    };
    await Promise.all(Array.from({ length: 100 }, (_, i) => cutOff((i % 2 ? slowZip : slowSignal)(token))));
    expect((await client.zip(await zipOf({ 'a.json': plainSignal('whole', 'cutoff') }))).status).toBe(200);
  });

  it('texts: every text parameter of every query is answered in time', async () => {
    const { body: document } = await client.request('GET', '/docs-json');
    const queries = textQueries(document);
    expect(queries.length).toBeGreaterThan(40);
    for (const [i, text] of Object.values(TEXT_TRAPS).entries()) {
      const answers = await Promise.all(
        queries
          .filter((_, j) => (i + j + part()) % SIZE.textsEvery === 0)
          .map(async (query) => ({
            query,
            answer: await probe(`${program.url}${query(text)}`, { headers: { authorization: token } }),
          })),
      );
      for (const { query, answer } of answers) {
        if (answer.status >= 500)
          throw new Error(`${query(text)} was answered ${answer.status}: ${answer.text}`);
        expectCleanAnswer(answer);
      }
    }
  });
});

describe('abuse: texts in signals and settings', () => {
  const texts = Object.values(TEXT_TRAPS);

  it('names of findings are returned unchanged, are found only by themselves, and are not formulas in a file', async () => {
    const sent = texts.filter(({ length }) => length < 500);
    // A name is one line, with single blanks; the marks of sealed texts are replaced.
    const short = sent.map((text) => text.replace(/[\uFDD0\uFDD1]/g, '\uFFFD').replace(/\s+/gu, ' '));
    const entries = sent.map((text, i) => [
      `${i}.json`,
      plainSignal(text, `texts${i}`, { description: text, source: { name: text }, tags: { [text]: text } }),
    ]);
    const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)));
    expect({ status, accepted: body.accepted }).toEqual({ status: 200, accepted: short.length });
    await client.folded(body.uploadId);
    for (const [i, text] of short.entries()) {
      const found = () => client.all(`/api/v3/findings?name=${encodeURIComponent(text)}`);
      const isOwn = ({ assetName, name }: { assetName: string; name: string }) =>
        assetName === `texts${i}` && name === text;
      // Names become searchable a second behind the fold.
      await until(`the finding named ${text}`, async () => (await found()).some(isOwn));
      // A text used as a wildcard would find names that do not contain it.
      expect((await found()).map(({ name }) => name).filter((name) => !contains(name, text))).toEqual([]);
    }
    const { text: csv } = await probe(`${program.url}/api/v3/findings/export?format=csv`, {
      headers: { authorization: token },
    });
    expect(csv).toContain("'=cmd");
    expect(csv).not.toMatch(/(^|[,\n])"?[=@]/);
  });

  it('names of assets, their sources, fields and tags: each is folded, and known again', async () => {
    const names = texts.filter(({ length }) => length <= 1_024);
    const zip = await zipOf(
      Object.fromEntries(
        names.map((text, i) => [
          `${i}.json`,
          plainSignal('named', text, {
            source: { name: text.slice(0, 200) },
            tags: { hostname: text, dept: text, location: text },
          }),
        ]),
      ),
    );
    for (const assetsCreated of [names.length, 0]) {
      const { status, body } = await client.zip(zip);
      expect({ status, accepted: body.accepted }).toEqual({ status: 200, accepted: names.length });
      expect((await client.folded(body.uploadId)).outcome).toMatchObject({ assetsCreated });
    }
  });

  it.each([
    ['/api/v3/company/departments', (text: string) => ({ name: text })],
    ['/api/v3/locations', (text: string) => ({ name: text })],
    ['/api/v3/custom-fields', (text: string) => ({ name: text, type: 'text' })],
    ['/api/v3/credentials', (text: string) => ({ username: text, role: 'viewer' })],
    [
      '/integrations/test',
      (text: string) => ({
        type: 'edr',
        subType: 'falcon',
        name: text,
        config: { url: text, clientId: text },
      }),
    ],
    ['/api/v3/scores/what-if', (text: string) => ({ fixed: [text] })],
    [`/api/v3/findings/00000000-0000-4000-8000-000000000000/accept`, (text: string) => ({ rationale: text })],
    [
      '/settings/os-to-safe-asset-type-mapping',
      (text: string) => ({
        mappings: [
          { osPattern: text.slice(0, 200), assetType: 'Server', attackSurface: 'Servers', supports: ['va'] },
        ],
        default: { assetType: 'Other', attackSurface: 'Other', supports: ['va'] },
      }),
    ],
  ])('POST %s', async (path, bodyOf) => {
    for (const text of texts) expectCleanAnswer(await post(path, JSON.stringify(bodyOf(text))));
  });

  it('a base URL of 900 KB of slashes', async () => {
    const body = {
      type: 'edr',
      subType: 'falcon',
      name: 'x',
      config: { url: `https://x${'/'.repeat(900_000)}x` },
    };
    expectCleanAnswer(await post('/integration', JSON.stringify(body)));
  });

  it('a mapping of 2,000 patterns of many wildcards, against a long operating system', async () => {
    const row = { assetType: 'Server', attackSurface: 'Servers', supports: ['va'] };
    const mappings = Array.from({ length: 2_000 }, (_, i) => ({
      ...row,
      osPattern: `${'*a'.repeat(95)}${i}`,
    }));
    const default_ = { assetType: 'Other', attackSurface: 'Other', supports: ['va'] };
    expectCleanAnswer(
      await post('/settings/os-to-safe-asset-type-mapping', JSON.stringify({ mappings, default: default_ })),
    );
    const entity = { type: 'machine', name: 'typed', entityAttributes: { type: 'a'.repeat(200) } };
    expectCleanAnswer(
      await post('/api/v3/signals', JSON.stringify(plainSignal('typed', 'typed', { entity }))),
    );
  });
});

const contains = (name: string, text: string): boolean => comparable(name).includes(comparable(text));
/** Composed and decomposed letters are the same. */
const comparable = (text: string): string => text.normalize('NFC').toLowerCase();

const changesRequest = (authorization: string): string =>
  `GET /api/v3/changes HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`;

describe('connections: readers', () => {
  it('subscribers that read nothing are limited, and block nothing', async () => {
    const requests = await Promise.all(
      // Each credential is limited to a share of the subscriptions: several are needed to use all of them.
      Array.from({ length: 5 }, async (_, i) => {
        const body = JSON.stringify({ username: `paused${i}`, role: 'viewer' });
        const credential = JSON.parse((await post('/api/v3/credentials', body)).text);
        return changesRequest(`Bearer ${await accessToken(credential)}`);
      }),
    );
    const readers = await Promise.all(
      Array.from({ length: SIZE.pausedReaders }, async (_, i) => {
        const reader = await RawConnection.open(port);
        reader.send(requests[i % requests.length]!);
        await until('the head of an answer', () => reader.received.includes('\r\n\r\n'));
        reader.stopReading();
        return reader;
      }),
    );
    const count = (status: number) => readers.filter((reader) => reader.status === status).length;
    expect([count(200), count(429)]).toEqual([200, SIZE.pausedReaders - 200]);
    expect(readers.find(({ status }) => status === 429)!.received).toMatch(/retry-after: \d+/i);
    const load = new LoadTally();
    await new Load(client, 'unread').capacity(1, load);
    expect(load.findings).toBeGreaterThan(0);
    for (const reader of readers) reader.close();
    await until('a free subscription', async () => {
      const again = await RawConnection.open(port);
      again.send(changesRequest(token));
      await until('an answer', () => again.received.includes('\r\n\r\n'));
      again.close();
      return again.status === 200;
    });
  });
});

describe('overload', () => {
  it('at twice the capacity is answered 429 with seconds; all that was acknowledged is folded once', async () => {
    const settings = { jsonRequestsPerMinute: 5, maxLagSeconds: isLong ? 30 : 10 };
    await client.request('PATCH', '/api/v3/settings', JSON.stringify(settings));
    const load = new Load(client, 'load');
    const tally = new LoadTally();
    const capacity = await load.capacity(SIZE.capacitySeconds, tally);
    const watched = watchMemory(program.pid);
    const json = jsonWhile(SIZE.overloadSeconds);
    const offered = await load.offer(SIZE.overloadSeconds, 2 * capacity, tally);
    const jsonTally = await json;
    const most = await watched.stop();
    const begun = performance.now();
    for (const { uploadId, accepted } of [...tally.acknowledged, ...jsonTally.acknowledged]) {
      let upload: { done: boolean; outcome: { created: number } } | undefined;
      const isFolded = async () => {
        upload = await client.get(`/api/v3/uploads/${uploadId}`);
        return upload!.done;
      };
      await until(`the fold of upload ${uploadId}`, isFolded, RECOVERY_MS_MAX);
      expect({ uploadId, created: upload!.outcome.created }).toEqual({ uploadId, created: accepted });
    }
    const seconds = (performance.now() - begun) / 1_000;
    printLine(
      `capacity ${capacity.toFixed(0)} findings/s; offered ${offered} in ${SIZE.overloadSeconds} s: ${tally.findings} ` +
        `acknowledged, ${tally.refused.length} ZIPs and ${jsonTally.refused.length} of ` +
        `${jsonTally.refused.length + jsonTally.acknowledged.length} JSON signals answered 429; slowest answer ` +
        `${tally.slowestMs.toFixed(0)} ms; memory at most ${inMb(most)}; folded and counted ${seconds.toFixed(1)} s after the end`,
    );
    expect([...tally.others, ...jsonTally.others]).toEqual([]);
    expect(jsonTally.refused.length).toBeGreaterThan(0);
    if (isLong) {
      // Otherwise the load has waited for the service instead of overloading it.
      expect(offered).toBeGreaterThan(0.9 * 2 * capacity * SIZE.overloadSeconds);
      expect(tally.refused.length).toBeGreaterThan(0);
    }
    for (const { headers, body } of [...tally.refused, ...jsonTally.refused]) {
      expect(headers.get('retry-after')).toBe(body.message);
      expect(Number(body.message)).toBeGreaterThanOrEqual(1);
    }
    const quick = await probe(`${program.url}/api/v3/findings?limit=50`, {
      headers: { authorization: token },
    });
    expect(quick.status).toBe(200);
  }, 1_800_000);

  /** Sends single signals from eight senders, each as fast as it gets answers. */
  async function jsonWhile(seconds: number): Promise<LoadTally> {
    const tally = new LoadTally();
    const begun = performance.now();
    let number = 0;
    // A slow machine may take longer until the earlier leases are used up.
    const shouldContinue = () => {
      const ms = performance.now() - begun;
      return ms < seconds * 1_000 || (tally.refused.length === 0 && ms < seconds * 1_000 + 60_000);
    };
    const one = async () => {
      while (shouldContinue()) {
        number += 1;
        tally.take(await client.signal(plainSignal(`json ${number}`, `json${number % 50}`)));
        if (tally.refused.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return tally;
  }
});

describe('connections', () => {
  it('slow clients get a 408 and are closed', async () => {
    await until('the end of the slow clients', () => slow.areClosed, SLOW_MS_MAX);
    printLine(
      `${slow.connections.length} slow connections: the last ended after ${slow.secondsMax.toFixed(1)} s`,
    );
    expect(slow.statuses).toEqual({ 408: slow.connections.length });
  }, 400_000);

  it('idle connections are closed for new ones, and memory is bounded', async () => {
    const watched = watchMemory(program.pid);
    const idle: RawConnection[] = [];
    let slowest = 0;
    while (idle.length < SIZE.idleConnections) {
      idle.push(...(await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(port)))));
      const { status, ms } = await probe(`${program.url}/api/v3/settings`, {
        headers: { authorization: token },
      });
      expect(status).toBe(200);
      slowest = Math.max(slowest, ms);
    }
    const open = () => idle.filter(({ endedAt }) => endedAt === null).length;
    await until('the close of excess connections', () => open() <= 2_048);
    const most = await watched.stop();
    printLine(
      `${idle.length} idle connections: ${open()} left open, the slowest answer beside them ${slowest.toFixed(0)} ms, ` +
        `memory ${inMb(heldBefore)} before, at most ${inMb(most)}`,
    );
    const closed = idle.filter(({ endedAt }) => endedAt !== null);
    for (const { status, received } of closed) {
      expect(status).toBe(408);
      expect(received).toContain(
        'all 2048 connections are in use, and this connection was idle for the longest time',
      );
    }
    for (const connection of idle) connection.close();
  }, 400_000);
});

describe('after all of it', () => {
  it('the service is ready, and uses about as much memory as before', async () => {
    const most = await memory.stop();
    expect(inMb(most)).toBe(
      most < heldBefore + PEAK_BYTES_MAX ? inMb(most) : `below ${inMb(heldBefore + PEAK_BYTES_MAX)}`,
    );
    const used = await memoryUsed(program.log);
    printLine(
      `memory ${inMb(heldBefore)} before all of it, at most ${inMb(most)}; in use ${inMb(usedBefore)} before, ${inMb(used)} after`,
    );
    expect(inMb(used)).toBe(
      used < usedBefore + GROWTH_BYTES_MAX ? inMb(used) : `below ${inMb(usedBefore + GROWTH_BYTES_MAX)}`,
    );
    expect((await probe(`${program.url}/health/ready`)).status).toBe(200);
  }, 120_000);

  it('the service has logged no error', () => {
    expect(program.log.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });

  it(
    'posture verify is clean',
    () => expectVerified({ DATA_DIR: program.dataDir }),
    isLong ? 1_800_000 : 300_000,
  );
});
