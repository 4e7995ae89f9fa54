import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DRAINED_BYTES_MAX, drainBody } from './drain-body.ts';

let server: Server;
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Drains a request with a body of `bytes` bytes; returns whether it ended. */
async function drained(bytes: number): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const outgoing = httpRequest({ port, method: 'POST' });
  outgoing.on('error', () => undefined);
  outgoing.end(Buffer.alloc(bytes));
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  return new Promise((resolve) => drainBody(incoming, resolve));
}

describe('drainBody (R-HTTP-4)', () => {
  it.each([0, 1, 6 * 1_048_576, DRAINED_BYTES_MAX])('reads %d bytes to their end', async (bytes) => {
    expect(await drained(bytes)).toBe(true);
  });

  it('stops above 16 MB', async () => {
    expect(await drained(DRAINED_BYTES_MAX + 1)).toBe(false);
  });

  it('ends with a client that hangs up', async () => {
    const { port } = server.address() as AddressInfo;
    const outgoing = httpRequest({ port, method: 'POST', headers: { 'content-length': '1000' } });
    outgoing.on('error', () => undefined);
    outgoing.write('x');
    const [incoming] = (await once(server, 'request')) as [IncomingMessage];
    const ended = new Promise((resolve) => drainBody(incoming, resolve));
    outgoing.destroy();
    expect(await ended).toBe(true);
  });
});
