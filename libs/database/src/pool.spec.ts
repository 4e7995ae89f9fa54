import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Certificate, TestAuthority } from '../../../test/support/certificates.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { isConnectionError } from './connection-error.ts';
import { openDatabase } from './database.ts';

const NAMES = ['IP:127.0.0.1'];

let database: TestDatabase;
let folder: string;
let first: TestAuthority;
let second: TestAuthority;
let proxy: Server;
/** What the proxy presents, and the authority of the clients that it takes. */
let presented: Certificate & { ca: string };

const file = (name: string) => join(folder, name);

/** The server with TLS, as PostgreSQL begins it: after the answer to one message. */
async function tlsProxy({ hostname, port }: URL): Promise<Server> {
  const server = createServer((client) => {
    client.once('data', () => {
      client.write('S');
      const options = { isServer: true, requestCert: true, rejectUnauthorized: true, ...presented };
      const secure = new TLSSocket(client, options);
      const postgres = connect(Number(port), hostname);
      for (const socket of [secure, postgres]) socket.on('error', () => undefined);
      secure.on('close', () => postgres.destroy());
      postgres.on('close', () => secure.destroy());
      secure.pipe(postgres).pipe(secure);
    });
    client.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** As an operator does for both sides: files of the programs, certificate of the server. */
async function replaceFiles(authority: TestAuthority): Promise<void> {
  const { key, cert } = await authority.issue(NAMES);
  await writeFile(file('ca.crt'), authority.certificate);
  await writeFile(file('tls.crt'), cert);
  await writeFile(file('tls.key'), key);
}

async function present(authority: TestAuthority, days?: number): Promise<void> {
  presented = { ...(await authority.issue(NAMES, days)), ca: authority.certificate };
}

function url(): string {
  const address = new URL(database.url);
  address.hostname = '127.0.0.1';
  address.port = `${(proxy.address() as AddressInfo).port}`;
  address.searchParams.set('sslmode', 'verify-full');
  address.searchParams.set('sslrootcert', file('ca.crt'));
  address.searchParams.set('sslcert', file('tls.crt'));
  address.searchParams.set('sslkey', file('tls.key'));
  return address.href;
}

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'posture-tls-'));
  [first, second] = await Promise.all([TestAuthority.create(), TestAuthority.create()]);
  proxy = await tlsProxy(new URL(database.url));
});
afterAll(async () => {
  proxy.close();
  await Promise.all([first.remove(), second.remove()]);
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});
beforeEach(async () => {
  await replaceFiles(first);
  await present(first);
});

describe('certificates of the database', () => {
  it('are read for each connection', async () => {
    const { pool, close } = openDatabase(url(), { max: 1 });
    const one = async () => {
      const client = await pool.connect();
      try {
        return (await client.query('select 1 as one')).rows;
      } finally {
        client.release(true);
      }
    };
    expect(await one()).toEqual([{ one: 1 }]);
    await present(second);
    expect(isConnectionError(await one().catch((error: unknown) => error))).toBe(true);
    await replaceFiles(second);
    expect(await one()).toEqual([{ one: 1 }]);
    // While it is replaced.
    await rm(file('ca.crt'));
    await writeFile(file('tls.crt'), '');
    expect(await one()).toEqual([{ one: 1 }]);
    await close();
  });

  it('make the database unavailable when they have expired', async () => {
    await present(first, -1);
    const { pool, close } = openDatabase(url(), { max: 1 });
    const error = await pool.query('select 1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CERT_HAS_EXPIRED' });
    expect(isConnectionError(error)).toBe(true);
    await close();
  });
});
