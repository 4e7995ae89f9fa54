import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Certificate, TestAuthority } from '../../../test/support/certificates.ts';
import type { Egress, EgressError } from './egress.ts';
import { openEgress } from './open-egress.ts';

let authority: TestAuthority;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create();
  closers.push(() => authority.remove());
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** Returns the name that the client asked for by SNI. */
async function serving(certificate: Certificate): Promise<number> {
  const server = createServer(certificate, ({ socket }, response) => {
    response.end(String((socket as TLSSocket).servername));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function opened(authorities: string | undefined = authority.certificate): Egress {
  const egress = openEgress({
    allow: () => ['127.0.0.1'],
    authorities,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  closers.push(() => egress.close());
  return egress;
}

const get = (egress: Egress, url: string) => egress.request({ method: 'GET', url });
const failureOf = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    (error: EgressError) => error,
  );

describe('TLS', () => {
  it('verifies the name of the URL, not that of the header', async () => {
    const port = await serving(await authority.issue(['DNS:a.example']));
    const egress = opened();
    const answer = await egress.request({
      method: 'GET',
      url: `https://a.example:${port}/`,
      headers: { Host: 'b.example' },
    });
    expect(answer.body.toString()).toBe('a.example');
    const error = await failureOf(
      egress.request({ method: 'GET', url: `https://b.example:${port}/`, headers: { host: 'a.example' } }),
    );
    expect(error).toMatchObject({ failure: 'tls' });
  });

  it('verifies an address, if the URL has one', async () => {
    const port = await serving(await authority.issue(['IP:127.0.0.1']));
    expect((await get(opened(), `https://127.0.0.1:${port}/`)).status).toBe(200);
    const other = await serving(await authority.issue(['DNS:a.example']));
    expect(await failureOf(get(opened(), `https://127.0.0.1:${other}/`))).toMatchObject({ failure: 'tls' });
  });

  it.each<[string, string[], number, RegExp]>([
    [
      'of another name',
      ['DNS:b.example'],
      2,
      /has a certificate for a different name \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
    ],
    ['that has expired', ['DNS:a.example'], -1, /has an expired certificate \(CERT_HAS_EXPIRED\)$/],
  ])('rejects a certificate %s', async (_, names, days, message) => {
    const port = await serving(await authority.issue(names, days));
    const error = await failureOf(get(opened(), `https://a.example:${port}/?key=s3cret`));
    expect(error).toMatchObject({ failure: 'tls', message: expect.stringMatching(message) });
    expect(error!.message).toContain(`a.example:${port}`);
    expect(error!.message).not.toContain('s3cret');
  });

  it('rejects an authority that it does not know, and says how to make it known', async () => {
    const port = await serving(await authority.issue(['DNS:a.example']));
    const stranger = await TestAuthority.create();
    closers.push(() => stranger.remove());
    for (const authorities of [stranger.certificate, '']) {
      expect(await failureOf(get(opened(authorities), `https://a.example:${port}/`))).toMatchObject({
        failure: 'tls',
        message: `a.example:${port} has a certificate of an unknown authority: set NODE_EXTRA_CA_CERTS to add your own authority (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
      });
    }
  });

  it('is not spoken by a port of plain HTTP', async () => {
    const { createServer: createPlain } = await import('node:http');
    const server = createPlain((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await failureOf(get(opened(), `https://a.example:${port}/`))).toMatchObject({
      failure: 'tls',
      message: expect.stringMatching(/failed the TLS handshake: check the port and the protocol/),
    });
  });

  it('continues after a failure: the next request is checked again', async () => {
    const port = await serving(await authority.issue(['DNS:a.example']));
    const egress = opened();
    for (let i = 0; i < 3; i++) {
      expect(await failureOf(get(egress, `https://b.example:${port}/`))).toMatchObject({ failure: 'tls' });
      expect((await get(egress, `https://a.example:${port}/`)).status).toBe(200);
    }
  });
});
