import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { createLogger } from '#libs/config';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { boundConnections } from './bound-connections.ts';

it('a stop does not wait for a connection that never sent a request', async () => {
  const gateway = await StartedGateway.start();
  const silent = connect(gateway.port, '127.0.0.1');
  await once(silent, 'connect');
  const ended = once(silent, 'close');
  // Only the server's end closes it here: its own time-out is beyond that of this test.
  await Promise.all([ended, gateway.stop()]);
});

it('a stop completes requests in progress, and ends them if they take too long', async () => {
  const server = fastify();
  boundConnections(server, createLogger('silent'), { stopMs: 500 });
  server.get('/quick', async () => 'quick');
  const begun = new Promise<() => void>((begin) => {
    server.get('/soon', () => new Promise((resolve) => begin(() => resolve('soon'))));
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const [slow, soon] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  slow.write('GET /quick HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(slow, 'data');
  // A next request whose headers never end.
  slow.write('G');
  soon.write('GET /soon HTTP/1.1\r\nhost: a\r\n\r\n');
  const answer = await begun;
  const ended = once(slow, 'close');
  const answered = once(soon, 'data');
  const closed = server.close();
  answer();
  expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 200 [\s\S]*soon$/);
  await Promise.all([ended, closed]);
});
