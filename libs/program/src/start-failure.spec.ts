import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { startFailure } from './start-failure.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Returns its port, or throws what Node does. */
async function listen(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const failureOf = (listening: Promise<unknown>) =>
  listening.then(
    () => 'it listens',
    (error: Error) => startFailure(error),
  );

it('names the address that is in use, and what to do', async () => {
  const port = await listen(0, '127.0.0.1');
  expect(await failureOf(listen(port, '127.0.0.1'))).toBe(
    `port ${port} of 127.0.0.1 is in use by another program: stop it, or set PORT to a free port`,
  );
});

it('names an address that this machine does not have', async () => {
  expect(await failureOf(listen(0, '192.0.2.1'))).toBe(
    '192.0.2.1 is not an address of this machine: set HOST to one, such as 127.0.0.1 or 0.0.0.0',
  );
});

it('names DATABASE_URL if the database does not answer at any of its addresses', () => {
  const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
  // As Node throws it for a name with an IPv4 and an IPv6 address.
  const error = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')]);
  expect(startFailure(Object.assign(error, { code: 'ECONNREFUSED' }))).toBe(
    'the database is unreachable (connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432): start PostgreSQL, or check DATABASE_URL',
  );
});

it('leaves other messages unchanged, and shows the stack of a bug', () => {
  expect(startFailure(new Error('DATABASE_URL must be set'))).toBe('DATABASE_URL must be set');
  expect(startFailure(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n {4}at /);
});
