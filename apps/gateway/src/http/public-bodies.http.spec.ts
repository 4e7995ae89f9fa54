import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawConnection } from '../../../../test/abuse/raw-connection.ts';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { MEGABYTE, PUBLIC_BODY_BYTES_MAX } from './http-limits.ts';

/** As many bodies of 1 MB as fill the memory for bodies. */
const COUNT = 64;

let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start();
  client = await gateway.client();
});
afterAll(() => gateway.stop());

/** Runs `act` while the service has read all bytes but the last one of `COUNT` bodies. */
async function withUnfinished(path: string, bodyBytes: number, act: () => Promise<void>): Promise<void> {
  const requests: IncomingMessage[] = [];
  const see = (message: unknown) => void requests.push((message as { request: IncomingMessage }).request);
  subscribe('http.server.request.start', see);
  const opened = await Promise.all(Array.from({ length: COUNT }, () => RawConnection.open(gateway.port)));
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n`;
  const sent = Buffer.concat([Buffer.from(head), Buffer.alloc(bodyBytes - 1, 'a')]);
  for (const connection of opened) connection.send(sent);
  try {
    await until('all requests', () => requests.length === COUNT);
    await until('their bytes', () => requests.every(({ socket }) => socket.bytesRead === sent.length));
    await act();
  } finally {
    unsubscribe('http.server.request.start', see);
    for (const connection of opened) connection.close();
  }
}

const finishSignIn = async (body: string) => {
  const answer = await fetch(`${gateway.url}/api/v3/sign-in/x/finish`, { method: 'POST', body });
  return [answer.status, ((await answer.json()) as { message: string }).message];
};

describe('bodies of routes without a token (R-LIM-5)', () => {
  it.each([
    '/api/v2/x',
    '/api/v3/auth',
    '/api/v3/sessions',
    '/api/v3/sign-in/x',
    '/api/v3/sign-in/x/finish',
    '/api/v3/sign-in/x/logout',
  ])('do not use the memory of other routes: POST %s', async (path) => {
    for (const bodyBytes of [MEGABYTE, PUBLIC_BODY_BYTES_MAX]) {
      await withUnfinished(path, bodyBytes, async () => {
        expect(await client.signal(plainSignal('a finding', 'web01'))).toMatchObject({ status: 200 });
        expect(await finishSignIn('{"proof":"x","state":"x"}')).toEqual([
          404,
          expect.stringMatching(/^no identity provider has this id/),
        ]);
      });
    }
  });

  it('have at most 32 KB', async () => {
    const body = JSON.stringify({ proof: 'x'.repeat(PUBLIC_BODY_BYTES_MAX) });
    expect(await finishSignIn(body)).toEqual([413, 'the body exceeds 32 KB']);
  });
});
