import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestAuthority } from '../../../test/support/certificates.ts';
import { ForwardProxy } from '../../../test/support/forward-proxy.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type Egress, EgressError } from './egress.ts';
import type { Lookup } from './guard.ts';
import { type EgressOptions, openEgress } from './open-egress.ts';

const PUBLIC = '93.184.216.34';
const PUBLIC_V6 = '2606:2800:220:1::1';

let authority: TestAuthority;
let secure: number;
let plain: number;
const servers: Server[] = [];

async function listening(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  authority = await TestAuthority.create();
  const seen: RequestListener = ({ url, headers, socket }, response) => {
    const { servername } = socket as TLSSocket;
    response.end(JSON.stringify({ url, headers, servername }));
  };
  secure = await listening(createSecureServer(await authority.issue(['DNS:a.example']), seen));
  plain = await listening(createServer(seen));
});
afterAll(async () => {
  for (const server of servers) server.close();
  await authority.remove();
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

let allow: string[];
let addresses: string[];
beforeEach(() => {
  allow = [];
  addresses = [PUBLIC];
});
const lookup: Lookup = async () =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Leads every CONNECT to 443 to the server of a.example, and every other one to that of plain HTTP. */
async function proxying(overTls = false): Promise<ForwardProxy> {
  const proxy = await ForwardProxy.listen(overTls ? await authority.issue(['IP:127.0.0.1']) : undefined);
  proxy.route = (target) => ({ port: target.endsWith(':443') ? secure : plain });
  closers.push(() => proxy.close());
  return proxy;
}

function through(proxy: string, options: Partial<EgressOptions> = {}): Egress {
  const egress = openEgress({
    proxy,
    allow: () => allow,
    lookup,
    authorities: authority.certificate,
    ...options,
  });
  closers.push(() => egress.close());
  return egress;
}

interface Seen {
  url: string;
  headers: IncomingMessage['headers'];
  servername?: string;
}

const get = async (egress: Egress, url: string): Promise<Seen> =>
  JSON.parse((await egress.request({ method: 'GET', url })).body.toString());

async function failureOf(answer: Promise<unknown>): Promise<EgressError> {
  const error = await answer.then(
    () => new Error('there was an answer'),
    (thrown) => thrown,
  );
  if (!(error instanceof EgressError)) throw error;
  return error;
}

describe('with EGRESS_PROXY (R-NET-3)', () => {
  it.each([false, true])(
    'the proxy gets the checked address, and TLS verifies the name; proxy over TLS: %s',
    async (overTls) => {
      const proxy = await proxying(overTls);
      const seen = await get(through(proxy.url()), 'https://a.example/x?key=s3cret');
      expect(seen).toMatchObject({
        url: '/x?key=s3cret',
        servername: 'a.example',
        headers: { host: 'a.example' },
      });
      expect(proxy.asked).toEqual([`${PUBLIC}:443`]);
      expect(JSON.stringify(proxy.headers)).not.toMatch(/s3cret|a\.example|proxy-authorization/);
    },
  );

  it('plain HTTP uses the same path, with the host’s own header', async () => {
    const proxy = await proxying();
    const seen = await get(through(proxy.url()), 'http://a.example:8080/x');
    expect(seen).toMatchObject({ url: '/x', headers: { host: 'a.example:8080' } });
    expect(seen.headers).not.toHaveProperty('proxy-authorization');
    await get(through(proxy.url()), 'http://a.example/');
    expect(proxy.asked).toEqual([`${PUBLIC}:8080`, `${PUBLIC}:80`]);
  });

  it('a certificate of another name is rejected, wherever the proxy connects to', async () => {
    const proxy = await proxying();
    const error = await failureOf(get(through(proxy.url()), 'https://b.example/'));
    expect(error).toMatchObject({
      failure: 'tls',
      message: 'b.example has a certificate for a different name (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
  });

  it('names and addresses that are not public never reach the proxy', async () => {
    const proxy = await proxying();
    const egress = through(proxy.url());
    addresses = ['10.0.0.5'];
    for (const url of [
      'http://inside.example/',
      'https://169.254.169.254/',
      'http://[::1]/',
      'http://0x7f.1/',
    ]) {
      expect((await failureOf(get(egress, url))).failure).toBe('refused');
    }
    expect(proxy.asked).toEqual([]);
  });

  it('a name that leads elsewhere the second time is rejected then', async () => {
    const proxy = await proxying();
    expect((await get(through(proxy.url()), 'https://a.example/')).servername).toBe('a.example');
    addresses = ['127.0.0.1'];
    expect((await failureOf(get(through(proxy.url()), 'https://a.example/'))).failure).toBe('refused');
    expect(proxy.asked).toEqual([`${PUBLIC}:443`]);
  });

  it('a name in egressAllow is resolved by the proxy, an address there is requested unchanged', async () => {
    const proxy = await proxying();
    const egress = through(proxy.url(), { lookup: () => Promise.reject(new Error('looked up')) });
    allow = ['a.example', '10.0.0.0/8'];
    await get(egress, 'https://a.example/');
    await get(egress, 'http://10.0.0.5:9/');
    expect(proxy.asked).toEqual(['a.example:443', '10.0.0.5:9']);
  });

  it('a changed setting ends the use of pooled connections', async () => {
    const proxy = await proxying();
    const egress = through(proxy.url());
    addresses = ['10.0.0.5'];
    allow = ['10.0.0.0/8'];
    for (let i = 0; i < 3; i++) await get(egress, 'https://a.example/');
    const { length } = proxy.asked;
    allow = [];
    expect((await failureOf(get(egress, 'https://a.example/'))).failure).toBe('refused');
    expect(proxy.asked).toHaveLength(length);
  });

  it('connections are pooled and shared', async () => {
    const proxy = await proxying();
    const egress = through(proxy.url());
    for (let i = 0; i < 20; i++) await get(egress, 'https://a.example/');
    expect(proxy.asked.length).toBeLessThanOrEqual(4);
  });

  it('the next address is tried if the proxy does not reach one, four at most', async () => {
    const proxy = await proxying();
    proxy.route = (target) => (target.startsWith('[') ? { status: 502 } : { port: secure });
    addresses = [PUBLIC_V6, PUBLIC];
    await get(through(proxy.url()), 'https://a.example/');
    expect(proxy.asked).toEqual([`[${PUBLIC_V6}]:443`, `${PUBLIC}:443`]);
    addresses = Array.from({ length: 9 }, (_, i) => `${PUBLIC_V6}${i}`);
    expect(await failureOf(get(through(proxy.url()), 'https://a.example/'))).toMatchObject({
      failure: 'proxy',
      message: `the proxy ${proxy.host} (EGRESS_PROXY) refused to connect to a.example (requested [${PUBLIC_V6}3]:443, 502)`,
    });
    expect(proxy.asked).toHaveLength(2 + 4);
  });
});

describe('the user info of EGRESS_PROXY', () => {
  const USER = 'ana:p%40ss%2Fword@';

  it('is sent only to the proxy', async () => {
    const proxy = await proxying();
    const { headers } = await get(through(proxy.url(USER)), 'http://a.example/');
    expect(proxy.headers[0]).toMatchObject({
      'proxy-authorization': `Basic ${Buffer.from('ana:p@ss/word').toString('base64')}`,
    });
    expect(headers).not.toHaveProperty('proxy-authorization');
  });

  it.each([
    [USER, 'rejected the user name and password of EGRESS_PROXY (407)'],
    ['', 'requires a user name and password, but EGRESS_PROXY has none (407)'],
  ])('is never shown: with %j', async (userInfo, message) => {
    const proxy = await proxying();
    proxy.route = () => ({ status: 407 });
    // One wrong password is not tried at every address.
    addresses = [PUBLIC, PUBLIC_V6];
    const error = await failureOf(get(through(proxy.url(userInfo)), 'http://a.example/'));
    expect(error).toMatchObject({ failure: 'proxy', message: `the proxy ${proxy.host} ${message}` });
    expect(proxy.asked).toHaveLength(1);
  });

  it('is never shown if nothing listens, either', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    expect(await failureOf(get(through(`http://${USER}${host}`), 'http://a.example/'))).toMatchObject({
      failure: 'proxy',
      message: `the proxy ${host} (EGRESS_PROXY) cannot be reached: check the address and the firewall (ECONNREFUSED)`,
    });
  });
});

describe('a proxy', () => {
  it('that says nothing is waited for as long as a connection may take', async () => {
    const proxy = await proxying();
    proxy.route = () => undefined;
    const error = await failureOf(get(through(proxy.url(), { connectMsMax: 100 }), 'http://a.example/'));
    expect(error).toMatchObject({
      failure: 'proxy',
      message: `the proxy ${proxy.host} (EGRESS_PROXY) did not connect to a.example in time (requested ${PUBLIC}:80)`,
    });
  });

  it('has no more to say once it has connected: an answer may take longer than a connection', async () => {
    const proxy = await proxying();
    const late = await listening(
      createServer((_, response) => setTimeout(() => response.end('{"url":"late"}'), 300)),
    );
    proxy.route = () => ({ port: late });
    const egress = through(proxy.url(), { connectMsMax: 100 });
    expect((await get(egress, 'http://a.example/')).url).toBe('late');
  });

  it('of https is verified too', async () => {
    const proxy = await ForwardProxy.listen(await authority.issue(['DNS:elsewhere.example']));
    closers.push(() => proxy.close());
    const error = await failureOf(get(through(proxy.url()), 'http://a.example/'));
    expect(error).toMatchObject({
      failure: 'proxy',
      message: `the proxy ${proxy.host} (EGRESS_PROXY) has a certificate for a different name (ERR_TLS_CERT_ALTNAME_INVALID)`,
    });
    expect(proxy.asked).toEqual([]);
  });

  it('that speaks no HTTP is named', async () => {
    const proxy = await proxying(true);
    const error = await failureOf(get(through(`http://${proxy.host}`), 'http://a.example/'));
    expect(error).toMatchObject({ failure: 'proxy', message: expect.stringContaining(proxy.host) });
  });
});
