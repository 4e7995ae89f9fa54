import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

let gateway: StartedGateway;
let client: ApiClient;
let authorization: string;
const open: EventStream[] = [];

beforeAll(async () => {
  gateway = await StartedGateway.start();
  client = await gateway.client('viewer');
  authorization = await signIn(gateway.credentialsOf('viewer'));
});
afterAll(async () => {
  for (const stream of open) stream.close();
  await gateway.stop();
});

async function signIn(credentials: string): Promise<string> {
  const response = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  });
  return `Bearer ${((await response.json()) as { accessToken: string }).accessToken}`;
}

/** Another viewer. */
async function anotherViewer(username: string): Promise<string> {
  const admin = await gateway.client('admin');
  const { body } = await admin.request(
    'POST',
    '/api/v3/credentials',
    JSON.stringify({ username, role: 'viewer' }),
  );
  return signIn(`${username}:${body.password}`);
}

async function follow(as = authorization): Promise<EventStream> {
  const stream = await EventStream.open(`${gateway.url}/api/v3/changes`, { authorization: as });
  open.push(stream);
  return stream;
}

describe('GET /api/v3/changes', () => {
  it('needs a token', async () => {
    const { status } = await fetch(`${gateway.url}/api/v3/changes`);
    expect(status).toBe(401);
  });

  it.each([
    ['?topics=risks', 'topics must be one or more of assets, findings, scores'],
    ['?topics=', 'topics must be one or more of assets, findings, scores'],
    ['?since=now', 'since'],
    ['?lastEventId=x', 'Last-Event-ID must be the id of an event'],
    ['?lastEventId=f:1.0.0.0', 'it is after the last change'],
  ])('answers %s with 400', async (query, message) => {
    const { status, body } = await client.request('GET', `/api/v3/changes${query}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('gives a credential 50 places of 200, and one that is left to the next', async () => {
    // A request for only the head takes no place.
    for (let i = 0; i < 5; i += 1) {
      const head = await fetch(`${gateway.url}/api/v3/changes`, {
        method: 'HEAD',
        headers: { authorization },
      });
      expect([head.status, head.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
    }
    for (let i = 0; i < 50; i += 1) await follow();
    await expect(follow()).rejects.toThrow('429');
    for (const name of ['second', 'third', 'fourth']) {
      const as = await anotherViewer(name);
      for (let i = 0; i < 50; i += 1) await follow(as);
    }
    const late = await anotherViewer('fifth');
    await expect(follow(late)).rejects.toThrow('429');
    const refused = await client.request('GET', '/api/v3/changes');
    expect(refused).toMatchObject({ status: 429, body: { message: '5' } });
    open.at(-1)!.close();
    await until(
      'a free place',
      () =>
        follow(late).then(
          () => true,
          () => false,
        ),
      2_000,
    );
  });
});
