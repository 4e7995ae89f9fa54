import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../test/support/free-port.ts';
import { until } from '../../../test/support/until.ts';
import { type Egress, EgressError, type OutgoingRequest } from './egress.ts';
import type { Lookup } from './guard.ts';
import { type EgressOptions, openEgress } from './open-egress.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Setting of the tests: changed while the egress is open. */
let allow: string[];
beforeEach(() => {
  allow = ['127.0.0.1'];
});

function opened(options: Partial<EgressOptions> = {}): Egress {
  const egress = openEgress({ allow: () => allow, ...options });
  closers.push(() => egress.close());
  return egress;
}

interface Listening {
  port: number;
  /** Connections made so far. */
  connections(): number;
  /** Ends all. */
  drop(): void;
}

async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  closers.push(() => {
    drop();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections, drop };
}

const serving = (listener: RequestListener, host?: string, port?: number) =>
  listening(createServer(listener), host, port);

/** Returns each connection with these bytes once a request has come, and closes it if requested. */
const saying = (bytes: string, { ends = true } = {}) =>
  listening(
    createTcpServer((socket) => {
      socket.once('data', () => (ends ? socket.end(bytes) : socket.write(bytes)));
    }),
  );

const get = (egress: Egress, url: string, options: Partial<OutgoingRequest> = {}) =>
  egress.request({ method: 'GET', url, ...options });

/** Outcome of it, for tables. */
async function failureOf(answer: Promise<unknown>): Promise<EgressError> {
  const error = await answer.then(
    () => new Error('there was an answer'),
    (thrown) => thrown,
  );
  if (!(error instanceof EgressError)) throw error;
  return error;
}

describe('a request', () => {
  it('brings method, headers and body there, and status, headers and body back', async () => {
    const { port } = await serving(async (request, response) => {
      const body = await text(request);
      response.writeHead(207, { 'X-Trace': 'a', 'set-cookie': ['b=1', 'c=2'] });
      response.end(
        JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
      );
    });
    const answer = await opened().request({
      method: 'POST',
      url: `http://127.0.0.1:${port}/a%20b/c?filter=x%2Cy&z`,
      headers: { 'Api-Secret': 's3cret', 'content-type': 'application/json', Host: 'other.example' },
      body: '{"é":1}',
    });
    expect(answer).toMatchObject({ status: 207, headers: { 'x-trace': 'a', 'set-cookie': 'b=1, c=2' } });
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      method: 'POST',
      url: '/a%20b/c?filter=x%2Cy&z',
      headers: {
        host: `127.0.0.1:${port}`,
        'api-secret': 's3cret',
        'content-type': 'application/json',
        'content-length': '8',
        'accept-encoding': 'identity',
      },
      body: '{"é":1}',
    });
  });

  it.each([204, 302, 304, 401, 429, 500])('takes %i as an answer, and follows nowhere', async (status) => {
    const asked: string[] = [];
    const { port } = await serving((request, response) => {
      asked.push(request.url!);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    const answer = await get(opened(), `http://127.0.0.1:${port}/here`);
    expect(answer).toMatchObject({ status, headers: { location: '/elsewhere' } });
    expect(asked).toEqual(['/here']);
  });

  it('keeps its connection for the next, and makes four to one host at most', async () => {
    const waiting: ServerResponse[] = [];
    const { port, connections } = await serving((_, response) => waiting.push(response));
    const egress = opened();
    const url = `http://127.0.0.1:${port}/`;
    const answers = Array.from({ length: 10 }, () => get(egress, url));
    for (let answered = 0; answered < answers.length; answered++) {
      await until('a request', () => waiting.length > answered);
      if (answered === 0) await until('four requests', () => waiting.length === 4);
      waiting[answered]!.end('done');
    }
    await Promise.all(answers);
    expect(connections()).toBe(4);
  });

  it('continues on a new connection after the host has closed the idle one', async () => {
    const { port, connections, drop } = await serving((_, response) => response.end('done'));
    const egress = opened();
    await get(egress, `http://127.0.0.1:${port}/`);
    drop();
    const answer = () =>
      get(egress, `http://127.0.0.1:${port}/`).catch((error: EgressError) => error.failure);
    await until('an answer', async () => (await answer()) !== 'network');
    expect(connections()).toBe(2);
  });
});

describe('the setting', () => {
  it('is read for requests, not when the egress is opened', async () => {
    let isRead = false;
    const egress = opened({
      allow: () => {
        isRead = true;
        return allow;
      },
    });
    expect(isRead).toBe(false);
    await failureOf(get(egress, 'http://10.0.0.5/'));
    expect(isRead).toBe(true);
  });
});

describe('the guard', () => {
  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://127.0.0.1.',
    'http://0',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://１２７.０.０.１',
    'http://169.254.169.254/latest/meta-data',
    'https://10.0.0.5',
  ])('rejects %s without a connection', async (url) => {
    allow = [];
    const unasked: Lookup = async () => {
      throw new Error('looked up');
    };
    const { failure, message } = await failureOf(get(opened({ lookup: unasked }), url));
    expect(failure).toBe('refused');
    expect(message).toMatch(/ is not a public address: an admin can allow it in the setting egressAllow$/);
  });

  it('rejects a name that leads into the network, and says where', async () => {
    allow = [];
    const { port, connections } = await serving((_, response) => response.end());
    const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const error = await failureOf(get(opened({ lookup }), `http://inside.example:${port}/?key=s3cret`));
    expect(error).toMatchObject({
      failure: 'refused',
      message:
        'inside.example resolves to 127.0.0.1, which is not a public address: an admin can allow it in the setting egressAllow',
    });
    expect(connections()).toBe(0);
  });

  it('asks the name service of the system: localhost is rejected, or allowed by its name', async () => {
    allow = [];
    const { port } = await serving((_, response) => response.end('here'), 'localhost');
    const egress = opened();
    expect((await failureOf(get(egress, `http://localhost:${port}/`))).failure).toBe('refused');
    allow = ['LOCALHOST'];
    expect((await get(egress, `http://LocalHost:${port}/`)).body.toString()).toBe('here');
  });

  it('connects to the checked address: a name that resolves differently the second time has no effect', async () => {
    const good = await serving((_, response) => response.end('good'));
    const bad = await serving((_, response) => response.end('bad'), '127.0.0.2', good.port);
    const answers = ['127.0.0.1', '127.0.0.2'];
    let asked = 0;
    const lookup: Lookup = async () => [{ address: answers[Math.min(asked++, 1)]!, family: 4 }];
    const egress = opened({ lookup });
    const url = `http://rebound.example:${good.port}/`;
    expect((await get(egress, url)).body.toString()).toBe('good');
    expect(asked).toBe(1);
    good.drop();
    // Until its end is noticed the old connection may be taken once more.
    const verdict = async () => (await failureOf(get(egress, url))).failure;
    await until('a new connection', async () => (await verdict()) === 'refused');
    expect(bad.connections()).toBe(0);
  });

  it('skips addresses of a name that are not allowed', async () => {
    const good = await serving((_, response) => response.end('good'));
    const bad = await serving((_, response) => response.end('bad'), '127.0.0.2', good.port);
    const lookup: Lookup = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    const { body } = await get(opened({ lookup }), `http://mixed.example:${good.port}/`);
    expect(body.toString()).toBe('good');
    expect(bad.connections()).toBe(0);
  });

  it('goes to the next address if the first does not answer', async () => {
    allow = ['127.0.0.0/8'];
    const { port } = await serving((_, response) => response.end('second'));
    const lookup: Lookup = async () => ['127.0.0.3', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    expect((await get(opened({ lookup }), `http://two.example:${port}/`)).body.toString()).toBe('second');
  });

  it('applies a changed setting at once, and uses no earlier connection', async () => {
    const used: Socket[] = [];
    const { port } = await serving(({ socket }, response) => {
      used.push(socket);
      response.end('here');
    });
    const egress = opened();
    const url = `http://127.0.0.1:${port}/`;
    for (let i = 0; i < 3; i++) await get(egress, url);
    allow = ['10.0.0.0/8'];
    expect((await failureOf(get(egress, url))).failure).toBe('refused');
    allow = ['127.0.0.0/8'];
    expect((await get(egress, url)).body.toString()).toBe('here');
    expect(used).toHaveLength(4);
    expect(used.slice(0, 3)).not.toContain(used[3]);
  });

  it('lets a request end that began before the setting changed', async () => {
    const waiting: ServerResponse[] = [];
    const { port } = await serving((_, response) => waiting.push(response));
    const egress = opened();
    const answer = get(egress, `http://127.0.0.1:${port}/`);
    await until('the request', () => waiting.length === 1);
    allow = [];
    await failureOf(get(egress, `http://127.0.0.1:${port}/`));
    waiting[0]!.end('here');
    expect((await answer).body.toString()).toBe('here');
  });
});

describe('there is no answer', () => {
  it.each([
    ['not a URL', 'the URL must be one like https://host.example'],
    ['/relative?key=s3cret', 'the URL must be one like https://host.example'],
    ['ftp://a.example/?key=s3cret', 'the URL must be one like https://host.example'],
    ['file:///etc/passwd', 'the URL must be one like https://host.example'],
    ['http://ana:s3cret@a.example/', 'the URL of a.example must not contain a user name or password'],
  ])('of the URL %s', async (url, message) => {
    expect(await failureOf(get(opened(), url))).toMatchObject({ failure: 'address', message });
  });

  it.each([
    ['ENOTFOUND', 'the name a.example cannot be resolved (ENOTFOUND)'],
    ['EAI_AGAIN', 'the name a.example cannot be resolved (EAI_AGAIN)'],
  ])('of a name service that says %s', async (code, message) => {
    const lookup: Lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code }));
    const error = await failureOf(get(opened({ lookup }), 'https://a.example/'));
    expect(error).toMatchObject({ failure: 'address', message });
  });

  it('of a name without addresses', async () => {
    const error = await failureOf(get(opened({ lookup: async () => [] }), 'https://a.example/'));
    expect(error).toMatchObject({
      failure: 'address',
      message: 'the name a.example cannot be resolved',
    });
  });

  it('if nothing listens', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    expect(await failureOf(get(opened(), `http://${host}/?key=s3cret`))).toMatchObject({
      failure: 'network',
      message: `${host} cannot be reached: check the address and the firewall (ECONNREFUSED)`,
    });
  });

  it('for any of many that wait for one host, and each gets the error', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    const egress = opened();
    const errors = Array.from({ length: 20 }, () => failureOf(get(egress, `http://${host}/`)));
    expect(new Set((await Promise.all(errors)).map(({ failure }) => failure))).toEqual(new Set(['network']));
  });

  it('for requests that occupy all connections; the waiting requests then succeed', async () => {
    const { port } = await serving(({ url }, response) => url === '/good' && response.end('good'));
    const egress = opened();
    const stuck = Array.from({ length: 4 }, () =>
      failureOf(get(egress, `http://127.0.0.1:${port}/stuck`, { timeoutMs: 200 })),
    );
    const behind = Array.from({ length: 8 }, () => get(egress, `http://127.0.0.1:${port}/good`));
    expect((await Promise.all(stuck)).map(({ failure }) => failure)).toEqual(Array(4).fill('timeout'));
    expect((await Promise.all(behind)).map(({ body }) => body.toString())).toEqual(Array(8).fill('good'));
  });

  const MB = 1024 * 1024;
  it.each<[string, string, string, RegExp]>([
    ['is none', '', 'network', / closed the connection$/],
    ['is cut', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', 'network', / closed the connection$/],
    [
      'is cut within a chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc',
      'network',
      / closed the connection$/,
    ],
    ['is garbage', 'SSH-2.0-OpenSSH_9.2\r\n', 'network', / did not respond with HTTP$/],
    [
      'has headers without end',
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(MB)}\r\n\r\n`,
      'tooLarge',
      / returned headers that exceed the limit$/,
    ],
    [
      'announces too much',
      `HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n${'a'.repeat(1001)}`,
      'tooLarge',
      /the response of .* exceeds 1000 bytes$/,
    ],
    [
      'is too much, unannounced',
      `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(MB)}`,
      'tooLarge',
      /the response of .* exceeds 1000 bytes$/,
    ],
  ])('whole, if it %s', async (_, bytes, failure, message) => {
    const { port } = await saying(bytes);
    const error = await failureOf(get(opened(), `http://127.0.0.1:${port}/?key=s3cret`, { bytesMax: 1000 }));
    expect(error).toMatchObject({ failure, message: expect.stringMatching(message) });
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.message).not.toContain('s3cret');
  });

  it('has an end, however long the body: the host is cut off', async () => {
    const sent = { bytes: 0, isOver: false };
    const { port } = await serving((_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const send = () => {
        while (!response.destroyed && response.write(chunk)) sent.bytes += chunk.length;
      };
      response.on('drain', send).on('close', () => {
        sent.isOver = true;
      });
      send();
    });
    const error = await failureOf(get(opened(), `http://127.0.0.1:${port}/`, { bytesMax: MB }));
    expect(error.failure).toBe('tooLarge');
    await until('the end of the connection', () => sent.isOver);
    expect(sent.bytes).toBeLessThan(64 * MB);
  });

  it('is exactly as long as it may be', async () => {
    const { port } = await saying(`HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${'a'.repeat(1000)}`);
    const { body } = await get(opened(), `http://127.0.0.1:${port}/`, { bytesMax: 1000 });
    expect(body).toHaveLength(1000);
  });

  it('in time: headers', async () => {
    const { port } = await serving(() => {});
    const error = await failureOf(get(opened(), `http://127.0.0.1:${port}/`, { timeoutMs: 50 }));
    expect(error).toMatchObject({
      failure: 'timeout',
      message: `127.0.0.1:${port} did not respond within 50 ms`,
    });
  });

  it('in time: a body that trickles', async () => {
    const { port } = await serving((_, response) => {
      const trickle = setInterval(() => response.write('a'), 5);
      response.on('close', () => clearInterval(trickle));
    });
    const error = await failureOf(get(opened(), `http://127.0.0.1:${port}/`, { timeoutMs: 100 }));
    expect(error).toMatchObject({
      failure: 'timeout',
      message: `127.0.0.1:${port} did not complete its response within 100 ms`,
    });
  });

  it('in time, but for its body: a body that trickles, if only its beginning has a timeout', async () => {
    const timeoutMs = 2_000;
    const { port } = await serving((_, response) => {
      const begun = performance.now();
      const trickle = setInterval(() => {
        if (performance.now() - begun > timeoutMs * 1.1) response.end('z');
        else response.write('a');
      }, 50);
      response.on('close', () => clearInterval(trickle));
    });
    const request = { timeoutMs, timeoutUntil: 'beginning' } as const;
    const { body } = await get(opened(), `http://127.0.0.1:${port}/`, request);
    expect(body.toString()).toMatch(/^a+z$/);
  });

  it('in time: a body that stalls', async () => {
    const { port } = await serving((_, response) => response.write('a'));
    const error = await failureOf(get(opened({ silenceMsMax: 50 }), `http://127.0.0.1:${port}/`));
    expect(error).toMatchObject({
      failure: 'timeout',
      message: `127.0.0.1:${port} stopped sending during its response`,
    });
  });

  it('in time: a TLS handshake without a response', async () => {
    const { port } = await listening(createTcpServer(() => {}));
    const error = await failureOf(get(opened({ connectMsMax: 50 }), `https://127.0.0.1:${port}/`));
    expect(error).toMatchObject({
      failure: 'timeout',
      message: `127.0.0.1:${port} did not accept the connection in time`,
    });
  });

  it('in time: a name service that says nothing', async () => {
    const lookup: Lookup = () => new Promise(() => {});
    const { failure } = await failureOf(get(opened({ lookup, connectMsMax: 50 }), 'http://a.example/'));
    expect(failure).toBe('timeout');
  });

  it('once it was called off: before, while waiting, and in the middle of the body', async () => {
    const begun: IncomingMessage[] = [];
    const { port, connections } = await serving((request, response) => {
      begun.push(request);
      if (request.url === '/body') response.write('a');
    });
    const egress = opened();
    const url = `http://127.0.0.1:${port}`;
    const expected = { failure: 'aborted', message: `the request to 127.0.0.1:${port} was aborted` };
    expect(await failureOf(get(egress, url, { signal: AbortSignal.abort() }))).toMatchObject(expected);
    expect(connections()).toBe(0);
    for (const path of ['/headers', '/body']) {
      const caller = new AbortController();
      const failure = failureOf(get(egress, `${url}${path}`, { signal: caller.signal }));
      await until('the request', () => begun.some((request) => request.url === path));
      caller.abort(new Error('s3cret'));
      expect(await failure).toMatchObject(expected);
    }
    await until('the end of both connections', () => begun.every((request) => request.socket.destroyed));
  });

  it('to a header that HTTP cannot carry, which is not shown', async () => {
    const headers = { 'api-secret': 's3cret\r\nx: y' };
    const { failure, message } = await failureOf(get(opened(), 'http://127.0.0.1:1/', { headers }));
    expect(failure).toBe('refused');
    expect(message).toBe(
      '127.0.0.1:1 received no request: a header contains characters that HTTP does not allow. Enter the key or secret again',
    );
  });

  it('after the end, for which started requests are awaited', async () => {
    const waiting: ServerResponse[] = [];
    const { port } = await serving((_, response) => waiting.push(response));
    const closing = openEgress({ allow: () => allow });
    const answer = get(closing, `http://127.0.0.1:${port}/`);
    await until('the request', () => waiting.length === 1);
    const closed = closing.close();
    waiting[0]!.end('here');
    expect((await answer).body.toString()).toBe('here');
    await closed;
  });

  it('after the end', async () => {
    const egress = openEgress({ allow: () => allow });
    await egress.close();
    expect(await failureOf(get(egress, 'http://127.0.0.1:1/'))).toMatchObject({
      failure: 'aborted',
      message: 'no request was sent to 127.0.0.1:1: the service is stopping',
    });
  });
});

describe('an answer that is read as it comes', () => {
  const streamed = (egress: Egress, port: number) =>
    egress.stream({ method: 'GET', url: `http://127.0.0.1:${port}/` });

  async function partsOf(body: AsyncIterable<Buffer>): Promise<string> {
    let all = '';
    for await (const part of body) all += part;
    return all;
  }

  it('begins before it ends, and has all of it', async () => {
    let answering: ServerResponse | undefined;
    const { port } = await serving((_, response) => {
      answering = response.writeHead(206, { 'X-Kind': 'list' });
      response.write('first');
    });
    const { status, headers, body } = await streamed(opened(), port);
    expect([status, headers['x-kind']]).toEqual([206, 'list']);
    answering!.end(' and last');
    expect(await partsOf(body)).toBe('first and last');
  });

  it('says so if it breaks off in the middle', async () => {
    const { port } = await saying('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf');
    const { body } = await streamed(opened(), port);
    expect(await failureOf(partsOf(body))).toMatchObject({
      failure: 'network',
      message: `127.0.0.1:${port} closed the connection`,
    });
  });

  it('is left if it is not wanted, with its connection', async () => {
    let left: Promise<unknown> | undefined;
    const { port } = await serving((_, response) => {
      left = once(response, 'close');
      response.write('x');
    });
    const egress = openEgress({ allow: () => allow });
    (await streamed(egress, port)).discard();
    // Before `close`, which would end it all the same.
    await left;
    await egress.close();
  });

  it('is guarded, and has to begin in time', async () => {
    const { port, connections } = await serving(() => {});
    const late = opened().stream({ method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 50 });
    expect(await failureOf(late)).toMatchObject({ failure: 'timeout' });
    allow = [];
    expect(await failureOf(streamed(opened(), port))).toMatchObject({ failure: 'refused' });
    expect(connections()).toBe(1);
  });
});
