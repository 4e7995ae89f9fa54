import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '#libs/config';
import { until } from '../../../../test/support/until.ts';
import { clientErrorHandler } from './client-errors.ts';
import { Connections } from './connections.ts';

const PLACES = 3;
const PACE = { afterMs: 1_500, bytesPerSecond: 1_000 };

let server: Server;
let connections: Connections;
let lines: string[];
/** Requests that wait for an answer, by their path. */
let waiting: Map<string, ServerResponse>;
const clients: Client[] = [];

beforeEach(async () => {
  lines = [];
  waiting = new Map();
  server = createServer({ maxHeaderSize: 1_024 }, (request, response) => serve(request, response));
  connections = new Connections(server, createLogger('warn', { write: (line) => void lines.push(line) }), {
    connectionsMax: PLACES,
    pace: PACE,
  });
  server.on(
    'clientError',
    clientErrorHandler((socket) => connections.isAnswered(socket)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** `/quick` is answered at once, any other path when the test says so; bodies are read. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  if (connections.isExcess(request.socket)) {
    response.writeHead(503, { connection: 'close' }).end();
  } else if (request.url === '/quick') {
    response.end('quick');
  } else {
    if (request.url !== '/unread') request.resume();
    waiting.set(request.url!, response);
  }
}

class Client {
  received = '';
  hasEnded = false;

  constructor(readonly socket: Socket) {
    clients.push(this);
    socket.on('data', (bytes) => {
      this.received += bytes;
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.hasEnded = true;
      });
  }

  get status(): number {
    return Number(this.received.slice(9, 12));
  }

  send(path: string, more = ''): void {
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n${more}`);
  }

  upload(path: string, bytes: number): void {
    this.socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n`);
  }
}

/** Connected, and counted by the server. */
async function client(): Promise<Client> {
  const admitted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await Promise.all([admitted, once(socket, 'connect')]);
  return new Client(socket);
}

const answered = (one: Client) => until('an answer', () => one.received !== '');

describe('Connections', () => {
  it('close the one that has been silent longest if all places are taken', async () => {
    const [first, second] = [await client(), await client()];
    const third = await client();
    first.send('/quick');
    await answered(first);
    const newcomer = await client();
    await until('the end of the silent one', () => second.hasEnded);
    expect(second.status).toBe(408);
    expect(second.received).toMatch(/"message":"all 3 connections are in use, and this connection was idle/);
    expect([first, third, newcomer].map(({ hasEnded }) => hasEnded)).toEqual([false, false, false]);
    expect(connections.size).toBe(PLACES);
    await client();
    await until('the end of the next', () => third.hasEnded);
  });

  it('keep connections with requests in progress, and reject a new one if all have requests', async () => {
    const busy = [await client(), await client(), await client()];
    for (const [i, one] of busy.entries()) one.send(`/${i}`);
    await until('the requests', () => waiting.size === PLACES);
    const newcomer = await client();
    newcomer.send('/quick');
    await until('the refusal', () => newcomer.hasEnded);
    expect(newcomer.status).toBe(503);
    for (const response of waiting.values()) response.end('done');
    await until('the answers', () => busy.every(({ status }) => status === 200));
    const next = await client();
    next.send('/quick');
    await answered(next);
    expect(next.status).toBe(200);
  });

  it('close one whose client does not read its response or stops sending its body, before new ones are rejected', async () => {
    const [reader, writer, busy] = [await client(), await client(), await client()];
    reader.socket.pause();
    reader.send('/large');
    await until('the request', () => waiting.has('/large'));
    writer.upload('/body', 10);
    busy.send('/busy');
    await until('the requests', () => waiting.size === PLACES);
    waiting.get('/large')!.end(Buffer.alloc(64 * 1_048_576));
    const newcomers = [await client(), await client()];
    await until('the end of the writer', () => writer.hasEnded);
    reader.socket.resume();
    await until('the end of the reader', () => reader.hasEnded);
    expect(reader.received.length).toBeLessThan(64 * 1_048_576);
    expect(writer.status).toBe(408);
    for (const one of newcomers) one.send('/quick');
    await until('the answers', () => newcomers.every(({ status }) => status === 200));
    expect(busy.hasEnded).toBe(false);
  });

  it('end only bodies that arrive too slowly', async () => {
    const [slow, steady, idle] = [await client(), await client(), await client()];
    slow.upload('/slow', 100_000);
    steady.upload('/steady', 100_000);
    idle.send('/idle');
    const trickle = setInterval(() => {
      slow.socket.write('x');
      steady.socket.write('x'.repeat(500));
    }, 100);
    await until('the end of the slow one', () => slow.hasEnded);
    clearInterval(trickle);
    expect(slow.status).toBe(408);
    expect(slow.received).toMatch(
      /arrives too slowly: send at least 1000 bytes per second after the first 1.5 seconds/,
    );
    expect([steady.hasEnded, idle.hasEnded]).toEqual([false, false]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', slow: 1, madeRoom: 0 }]);
  });

  it('end silent connections, except connections with requests in progress', async () => {
    server.setTimeout(300);
    const [busy, silent] = [await client(), await client()];
    busy.send('/busy');
    silent.upload('/silent', 10);
    await until('the end of the silent one', () => silent.hasEnded);
    const later = await client();
    await until('the end of a later one', () => later.hasEnded);
    expect(busy.hasEnded).toBe(false);
    waiting.get('/busy')!.end('done');
    await until('the answer', () => busy.received.endsWith('done'));
  });

  it('do not blame a client for the time in which its body was not read', async () => {
    const one = await client();
    one.upload('/unread', 10);
    await until('the request', () => waiting.has('/unread'));
    const response = waiting.get('/unread')!;
    const passed = (ms: number, since = performance.now()) =>
      until('time', () => performance.now() > since + ms);
    await passed(PACE.afterMs + 1_500);
    response.req.resume();
    // One look goes by, which would have ended it; the third after it ends it rightly.
    await passed(1_100);
    expect(one.hasEnded).toBe(false);
    one.socket.write('0123456789');
    await until('the body', () => response.req.complete);
    response.end('done');
    await answered(one);
    expect(one.status).toBe(200);
  });

  it('answer malformed requests with a message, once', async () => {
    const [overlong, nonsense] = [await client(), await client()];
    overlong.socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-much: ${'m'.repeat(100_000)}`);
    overlong.socket.write('m'.repeat(100_000));
    nonsense.socket.write('\x16\x03\x01 no plain text, a TLS hello');
    await until('the answers', () => overlong.received !== '' && nonsense.received !== '');
    overlong.socket.end();
    await until('the end', () => overlong.hasEnded);
    expect(overlong.received).toMatch(
      /^HTTP\/1.1 431 [^{]*\{"statusCode":431[^{}]*the URL and headers exceed/,
    );
    expect(overlong.received.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(nonsense.received).toMatch(/^HTTP\/1.1 400 [^{]*\{"statusCode":400[^{}]*not a valid HTTP/);
  });

  it('do not corrupt an answer that has begun', async () => {
    const one = await client();
    one.upload('/stream', 10);
    await until('the request', () => waiting.has('/stream'));
    waiting.get('/stream')!.writeHead(200, { 'content-length': 10 }).write('begun');
    await answered(one);
    one.socket.write('1234567890 and what is no request');
    await until('the end', () => one.hasEnded);
    expect(one.received).toMatch(/begun$/);
  });
});
