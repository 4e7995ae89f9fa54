import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JiraServer } from '../../../../test/fixtures/tickets/jira-server.ts';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { isSignedBy, WebhookReceiver } from '../../../../test/support/webhook-receiver.ts';
import type { ActDto } from '../audit/audit.dto.ts';
import type { WebhookDto, WebhookWithSecretDto } from './webhook.dto.ts';

const MAIL = { from: 'risk@example.com', to: ['ana@example.com'] };
const JIRA = {
  kind: 'jira',
  url: 'https://acme.atlassian.net',
  secret: 'token',
  options: { user: 'risk@example.com', project: 'RISK', issueType: 'Task' },
};
const NOBODY = '00000000-0000-4000-8000-000000000000';
const PATH = '/api/v3/webhooks';
const URL_WITH_TOKEN = 'https://receiver.example:8443/hooks/token-never-to-be-seen?key=key-never-to-be-seen';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const HOUR_MS = 60 * 60_000;

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());
afterEach(() => gateway.database.pool.query('delete from webhooks'));

const send = (method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? undefined : JSON.stringify(body));
async function ok<T = WebhookDto>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}
const add = (given: object = {}) => ok<WebhookWithSecretDto>('POST', PATH, { url: URL_WITH_TOKEN, ...given });

/** Tokens last an hour. */
async function later(ms: number): Promise<void> {
  now += ms;
  client = await gateway.client('admin');
}

/** Findings on a separate host; returns when they are folded. */
async function upload(name: string, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, i) => [`${i}.json`, plainSignal(`${name} ${i}`, name)]);
  const { body } = await client.zip(await zipOf(Object.fromEntries(entries)));
  await client.folded(body.uploadId);
}

/** As a deliverer leaves it. */
const onItsWay = (webhook: WebhookDto) =>
  gateway.database.pool.query(
    `insert into webhook_deliveries (id, webhook_id, status, from_position, to_position, changes, bytes, created_at,
       attempts, first_attempt_at, last_attempt_at, next_attempt_at, answer)
     values (gen_random_uuid(), $1, 'pending', $2, $2, 1, 10, $3, 4, $3, $3, $3, '{"status":500,"message":"x","ms":3}')`,
    [webhook.id, webhook.position, new Date(now)],
  );

describe('POST /api/v3/webhooks', () => {
  it('adds one of all topics, from now on; its secret is shown only once', async () => {
    await upload('before', 3);
    const { secret, ...added } = await add();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(added).toEqual({
      id: expect.any(String),
      version: 1,
      kind: 'cloudevents',
      url: URL_WITH_TOKEN,
      topics: ['assets', 'findings', 'scores'],
      filter: {},
      options: {},
      enabled: true,
      departments: null,
      locations: null,
      paused: null,
      position: expect.stringMatching(/^a:[\w.]+,f:[\w.]+,s:[\w.]+$/),
      behind: 0,
      previousSecretUntil: null,
      createdAt: new Date(now).toISOString(),
      updatedAt: new Date(now).toISOString(),
    });
    expect(await ok('GET', `${PATH}/${added.id}`)).toEqual(added);
    expect(await ok('GET', PATH)).toEqual({ items: [added], nextCursor: null });
    const { rows } = await gateway.database.pool.query('select * from webhooks');
    expect(JSON.stringify(rows)).not.toContain(secret);
    await upload('after', 2);
    expect(await ok('GET', `${PATH}/${added.id}`)).toMatchObject({ behind: 3 });
  });

  it('takes topics, a filter, a secret and the start position', async () => {
    const given = {
      topics: ['scores', 'findings'],
      filter: { severityMin: 7.5, states: ['Failed'] },
      secret: SECRET,
      enabled: false,
      from: '1970-01-01T00:00:00Z',
    };
    expect(await add(given)).toMatchObject({
      topics: ['findings', 'scores'],
      filter: given.filter,
      secret: SECRET,
      enabled: false,
      paused: { reason: 'user', message: 'paused by admin' },
      position: 'f:0.0.0.0,s:0.0.0.0',
    });
  });

  it.each<[string, object, RegExp]>([
    ['no url', { url: undefined }, /url must be a URL/],
    ['another scheme', { url: 'ftp://receiver.example' }, /^url must be a URL/],
    ['user info', { url: 'https://ana:pass@receiver.example' }, /^url .*without user name/],
    ['a fragment', { url: 'https://receiver.example/#x' }, /^url must be a URL/],
    [
      'a topic that is none',
      { topics: ['risks'] },
      /^topics must be one or more of assets, findings, scores/,
    ],
    ['no topics', { topics: [] }, /^topics/],
    ['a topic twice', { topics: ['scores', 'scores'] }, /^All topics's elements must be unique|^topics/],
    ['null topics', { topics: null }, /topics/],
    ['a severity above 10', { filter: { severityMin: 11 } }, /filter\.severityMin/],
    ['a state that is none', { filter: { states: ['Open'] } }, /filter\.states must be a list of Failed/],
    ['an unknown filter', { filter: { colour: 1 } }, /filter\.colour is unknown/],
    ['an unknown field', { colour: 1 }, /colour is unknown/],
    ['a short secret', { secret: 'whsec_YWJj' }, /^secret must be whsec_ followed by 24 to 64 bytes/],
    ['a secret of another form', { secret: 'x'.repeat(40) }, /^secret must be whsec_/],
    ['an unknown kind', { kind: 'fax' }, /^kind must be one of cloudevents, github/],
    [
      'an option of another kind',
      { options: { labels: ['x'] } },
      /^options.labels is not an option of cloudevents/,
    ],
    ['decisions for events', { filter: { ssvc: ['Act'] } }, /^filter.ssvc is only for tickets/],
    ['an unknown type', { filter: { types: ['x'] } }, /^filter.types must be a list of finding, ca/],
    [
      'an address without a repository',
      { kind: 'github', secret: 'x' },
      /^url must be the address of a repository/,
    ],
    [
      'tickets without a secret',
      { kind: 'github', url: 'https://github.com/o/r' },
      /^secret must be an access token/,
    ],
    ['mail by HTTP', { kind: 'email', options: MAIL }, /^url must be the address of a mail server/],
    [
      'mail to no address',
      { kind: 'email', url: 'a.example', options: MAIL },
      /the address of a mail server/,
    ],
    ['events by mail', { url: 'smtp://mail.example' }, /^url must be a URL that starts with http/],
    [
      'a path at a mail server',
      { kind: 'email', url: 'smtp://a.example/x', options: MAIL },
      /^url must be the addr/,
    ],
    [
      'a password of nobody',
      { kind: 'email', url: 'smtp://a.example', secret: 'x', options: MAIL },
      /^secret must be/,
    ],
    [
      'no recipients',
      { kind: 'email', url: 'smtp://a.example', options: { from: MAIL.from } },
      /^options.to must be a list of 1 to 20 e-mail addresses/,
    ],
    ['a sender that is none', { kind: 'email', options: { ...MAIL, from: 'x' } }, /^options.from/],
    ['no repository', { kind: 'github', url: undefined }, /^url must be the address of a repository/],
    ['no token', { kind: 'github', url: 'https://github.com/o/r', secret: '' }, /^secret must not be empty$/],
    [
      'a site with a path',
      { ...JIRA, url: 'https://acme.atlassian.net/browse/RISK' },
      /^url must be the address of a site/,
    ],
    ['no API token', { ...JIRA, secret: undefined }, /^secret must be an API token of the account/],
    [
      'no account',
      { ...JIRA, options: { ...JIRA.options, user: undefined } },
      /^options.user must be the e-mail/,
    ],
    [
      'no project',
      { ...JIRA, options: { ...JIRA.options, project: undefined } },
      /^options.project must be the key/,
    ],
    [
      'a name of a project',
      { ...JIRA, options: { ...JIRA.options, project: 'Our risks' } },
      /^options.project must be the key/,
    ],
    [
      'no issue type',
      { ...JIRA, options: { ...JIRA.options, issueType: undefined } },
      /^options.issueType must be/,
    ],
    [
      'labels with spaces',
      { ...JIRA, options: { ...JIRA.options, labels: ['a b'] } },
      /^options.labels must not contain/,
    ],
    [
      'a project of GitHub',
      { kind: 'github', options: { project: 'RISK' } },
      /^options.project is not an option/,
    ],
    [
      'a workflow without an address',
      { kind: 'teams', url: undefined, secret: 'x' },
      /^secret must be the address of the webhook of the workflow/,
    ],
    ['topics of tickets', { kind: 'github', topics: ['scores'] }, /^topics is not a field of github/],
    ['a url of a chat', { kind: 'slack', secret: 'https://a.example' }, /^url is not a field of slack/],
    [
      'a chat without an address',
      { kind: 'slack', url: undefined, secret: 'x' },
      /^secret must be the address/,
    ],
    [
      'more tickets than the limit',
      { kind: 'github', options: { openedPerHourMax: 1_001 } },
      /^options.openedPerHourMax/,
    ],
    [
      'a place that is none',
      { from: 'yesterday' },
      /^from must be the position of an event, or an ISO 8601 time/,
    ],
    [
      'a place ahead',
      { from: 'f:zz.0.0.0' },
      /^from must be a position of this installation: it is after the last change/,
    ],
    [
      'a place of other partitions',
      { from: 'f:0.0' },
      /^from must be a position of this installation.* different partitions/,
    ],
    [
      'a place of another topic',
      { topics: ['scores'], from: 'f:0.0.0.0' },
      /^from must be a position that contains a topic/,
    ],
  ])('rejects %s', async (_, given, message) => {
    const { status, body } = await send('POST', PATH, { url: URL_WITH_TOKEN, ...given });
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  it('accepts 50 and no more', async () => {
    await gateway.database.pool.query(
      `insert into webhooks (id, url, topics, secret, enabled, position, created_at, updated_at)
       select gen_random_uuid(), 'https://x.example', '{scores}', 'v1', false, 's:0.0.0.0', date_trunc('milliseconds', now()), now()
       from generate_series(1, 49)`,
    );
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('POST', PATH, { url: URL_WITH_TOKEN })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { status, body } = await send('POST', PATH, { url: URL_WITH_TOKEN });
    expect([status, body.message]).toEqual([409, expect.stringContaining('50 webhooks')]);
    const page = await ok<{ items: WebhookDto[]; nextCursor: string }>('GET', `${PATH}?limit=30`);
    const rest = await ok<{ items: WebhookDto[]; nextCursor: null }>(
      'GET',
      `${PATH}?limit=30&cursor=${page.nextCursor}`,
    );
    expect(new Set([...page.items, ...rest.items].map(({ id }) => id)).size).toBe(50);
    expect(rest.nextCursor).toBeNull();
  });
});

describe('PATCH, DELETE, pause and resume', () => {
  it('changes the given fields, and increments the version; the rest stays', async () => {
    const { secret: _, ...added } = await add({ topics: ['findings'], from: 'f:0.0.0.0' });
    await later(HOUR_MS);
    const changed = await ok('PATCH', `${PATH}/${added.id}`, { filter: { severityMin: 9 } });
    const updatedAt = new Date(now).toISOString();
    expect(changed).toEqual({ ...added, version: 2, filter: { severityMin: 9 }, updatedAt });
    const more = await ok('PATCH', `${PATH}/${added.id}`, { topics: ['scores', 'findings'], version: 2 });
    expect(more.topics).toEqual(['findings', 'scores']);
    expect(more.position).toMatch(/^f:0\.0\.0\.0,s:[\w.]+$/);
    expect((await ok('PATCH', `${PATH}/${added.id}`, { topics: ['scores'] })).position).toMatch(/^s:[\w.]+$/);
  });

  it('rejects a change with a stale version, and one without fields', async () => {
    const { id } = await add();
    await ok('PATCH', `${PATH}/${id}`, { enabled: false });
    const stale = await send('PATCH', `${PATH}/${id}`, { enabled: true, version: 1 });
    expect([stale.status, stale.body.message]).toEqual([409, expect.stringContaining('has changed since')]);
    expect((await send('PATCH', `${PATH}/${id}`)).body.message).toMatch(/^the body must contain/);
    const { status, body } = await send('PATCH', `${PATH}/${id}`, { secret: SECRET });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^secret .* POST \S+\/rotate$/)]);
  });

  it('pauses and resumes; then retries pending deliveries immediately', async () => {
    const webhook = await add();
    await onItsWay(webhook);
    const paused = await ok('POST', `${PATH}/${webhook.id}/pause`);
    expect(paused).toMatchObject({ version: 2, enabled: false, paused: { reason: 'user' } });
    expect(await ok('POST', `${PATH}/${webhook.id}/pause`)).toEqual(paused);
    const resumed = await ok('POST', `${PATH}/${webhook.id}/resume`);
    expect(resumed).toMatchObject({ version: 3, enabled: true, paused: null });
    const { items } = await ok<{ items: object[] }>('GET', `${PATH}/${webhook.id}/deliveries`);
    expect(items).toMatchObject([{ status: 'pending', attempts: 0, nextAttemptAt: null }]);
  });

  it('removes it with its deliveries', async () => {
    const { secret: _, ...webhook } = await add();
    await onItsWay(webhook);
    expect(await ok('DELETE', `${PATH}/${webhook.id}`)).toEqual(webhook);
    const { rows } = await gateway.database.pool.query('select from webhook_deliveries');
    expect(rows).toEqual([]);
    expect((await send('DELETE', `${PATH}/${webhook.id}`)).status).toBe(404);
  });
});

describe('POST /api/v3/webhooks/{id}/replay', () => {
  it('starts again after a position; pending deliveries are computed again', async () => {
    await upload('again', 2);
    const webhook = await add({ topics: ['findings', 'assets'] });
    await onItsWay(webhook);
    const replayed = await ok('POST', `${PATH}/${webhook.id}/replay`, { from: 'f:0.0.0.0' });
    expect(replayed.position).toBe(`${webhook.position.split(',')[0]},f:0.0.0.0`);
    expect(replayed.behind).toBeGreaterThan(1);
    const { items } = await ok<{ items: object[] }>('GET', `${PATH}/${webhook.id}/deliveries`);
    expect(items).toMatchObject([{ status: 'superseded', finishedAt: new Date(now).toISOString() }]);
  });

  it('begins with the first change of an instant or later', async () => {
    await later(HOUR_MS);
    const webhook = await add({ topics: ['findings', 'assets'] });
    await upload('early', 5);
    await later(HOUR_MS);
    await upload('late', 7);
    const from = (ms: number) =>
      ok('POST', `${PATH}/${webhook.id}/replay`, { from: new Date(ms).toISOString() });
    expect((await from(now)).behind).toBe(8);
    expect((await from(now - 1)).behind).toBe(8);
    expect((await from(now - HOUR_MS)).behind).toBe(14);
    expect((await from(now + HOUR_MS)).behind).toBe(0);
    expect((await from(0)).behind).toBeGreaterThan(14);
  });

  it('resumes a webhook that is paused for a gap, and no other', async () => {
    const { id } = await add({ topics: ['findings'] });
    const replayedAfter = async (reason: string) => {
      const paused = { reason, message: 'x', at: now };
      await gateway.database.pool.query(
        'update webhooks set enabled = false, paused = $1, version = version + 1 where id = $2',
        [paused, id],
      );
      return ok('POST', `${PATH}/${id}/replay`, { from: 'f:0.0.0.0' });
    };
    expect(await replayedAfter('gap')).toMatchObject({ enabled: true, paused: null });
    expect(await replayedAfter('user')).toMatchObject({ enabled: false, paused: { reason: 'user' } });
  });

  it.each([
    [{}, /^from/],
    [{ from: 'tomorrow' }, /^from must be the position/],
    [{ from: 'f:zz.0.0.0' }, /^from must be a position of this installation/],
    [{ from: 's:0.0.0.0' }, /^from must be a position that contains a topic/],
  ])('rejects %j', async (body, message) => {
    const { id } = await add({ topics: ['findings'] });
    const refused = await send('POST', `${PATH}/${id}/replay`, body);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

describe('POST /api/v3/webhooks/{id}/test and /rotate', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    await ok('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
  });
  afterAll(() => receiver.close());

  it('sends one event now, signed with both secrets after a rotation', async () => {
    const { id, secret } = await add({ url: receiver.url, enabled: false });
    expect(await ok('POST', `${PATH}/${id}/test`)).toEqual({
      ok: true,
      status: 204,
      message: 'the receiver accepted it',
      messageId: receiver.received[0]!.id,
      ms: expect.any(Number),
    });
    expect(receiver.events).toMatchObject([
      { specversion: '1.0', type: 'posture.webhook.test', subject: id },
    ]);
    const rotated = await ok<WebhookWithSecretDto>('POST', `${PATH}/${id}/rotate`);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated).toMatchObject({
      version: 2,
      previousSecretUntil: new Date(now + 24 * HOUR_MS).toISOString(),
    });
    await ok('POST', `${PATH}/${id}/test`);
    const signers = (n: number) =>
      [secret, rotated.secret].map((one) => isSignedBy(one!, receiver.received[n]!));
    expect([signers(0), signers(1)]).toEqual([
      [true, false],
      [true, true],
    ]);
    await later(25 * HOUR_MS);
    await ok('POST', `${PATH}/${id}/test`);
    expect(signers(2)).toEqual([false, true]);
    expect(await ok('GET', `${PATH}/${id}`)).toMatchObject({ previousSecretUntil: null });
  });

  it('signs with the secret before several rotations too: the answer of one may be lost', async () => {
    const { id, secret } = await add({ url: receiver.url, enabled: false });
    await ok('POST', `${PATH}/${id}/rotate`);
    await later(HOUR_MS);
    const rotated = await ok<WebhookWithSecretDto>('POST', `${PATH}/${id}/rotate`);
    const signers = async () => {
      await ok('POST', `${PATH}/${id}/test`);
      return [secret, rotated.secret].map((one) => isSignedBy(one!, receiver.received.at(-1)!));
    };
    expect(await signers()).toEqual([true, true]);
    for (let i = 0; i < 4; i += 1) await ok('POST', `${PATH}/${id}/rotate`);
    expect(await signers()).toEqual([false, true]);
    await later(25 * HOUR_MS);
    expect(await signers()).toEqual([false, false]);
  });

  it('says why the receiver did not take it', async () => {
    const { id } = await add({ url: receiver.url });
    receiver.receive = () => ({ status: 503 });
    expect(await ok('POST', `${PATH}/${id}/test`)).toMatchObject({
      ok: false,
      status: 503,
      message: 'the receiver did not accept it (status 503)',
    });
    await ok('PATCH', `${PATH}/${id}`, { url: 'http://127.0.0.2:9/' });
    expect(await ok('POST', `${PATH}/${id}/test`)).toMatchObject({
      ok: false,
      status: null,
      message: expect.stringContaining('egressAllow'),
    });
  });
});

describe('a stored secret (R-KEY-3)', () => {
  beforeAll(() => ok('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] }));

  /** Accepts connections and says nothing; a test of the webhook connects to it, or does not. */
  async function listening() {
    const server = createServer((socket) => socket.on('error', () => {}).end());
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, connections: () => connections, close: () => server.close() };
  }
  const refusal = async (id: string, changes: object) => {
    const { status, body } = await send('PATCH', `${PATH}/${id}`, changes);
    return [status, body.message];
  };
  const sealedOf = async (id: string): Promise<string> => {
    const { rows } = await gateway.database.pool.query('select secret from webhooks where id = $1', [id]);
    return rows[0].secret;
  };

  it('of a mail server is sent to no other server, and as no other user, without being given again', async () => {
    const [own, other] = [await listening(), await listening()];
    try {
      const options = { ...MAIL, user: 'risk' };
      const added = await add({ kind: 'email', url: own.url, secret: 'pw-never-to-be-seen', options });
      const again = [
        400,
        'secret must be the password of options.user if url or options.user changes: a stored secret is never sent to another address',
      ];
      expect(await refusal(added.id, { url: other.url })).toEqual(again);
      expect(await refusal(added.id, { url: other.url, options })).toEqual(again);
      expect(await refusal(added.id, { options: { ...options, user: 'eve' } })).toEqual(again);
      expect(await refusal(added.id, { url: own.url.replace('smtp:', 'smtps:') })).toEqual(again);
      await ok('POST', `${PATH}/${added.id}/test`);
      expect([own.connections(), other.connections()]).toEqual([1, 0]);
      // What is neither of them changes without it.
      await ok('PATCH', `${PATH}/${added.id}`, {
        url: own.url,
        options: { ...options, to: ['bo@example.com'] },
      });
      const before = await sealedOf(added.id);
      const changed = await ok('PATCH', `${PATH}/${added.id}`, { url: other.url, secret: 'another' });
      expect(changed).toMatchObject({ url: other.url, options: { user: 'risk' } });
      expect(changed).not.toHaveProperty('secret');
      expect(await sealedOf(added.id)).not.toBe(before);
      await ok('POST', `${PATH}/${added.id}/test`);
      expect([own.connections(), other.connections()]).toEqual([1, 1]);
    } finally {
      for (const server of [own, other]) server.close();
    }
  });

  it('of a mail server ends with its user', async () => {
    const options = { ...MAIL, user: 'risk' };
    const { id } = await add({ kind: 'email', url: 'smtps://mail.example', secret: 'pw', options });
    expect(await refusal(id, { options: MAIL, secret: 'pw' })).toEqual([
      400,
      'secret must be the password of options.user: send both, or none of them',
    ]);
    await ok('PATCH', `${PATH}/${id}`, { options: MAIL });
    await ok('PATCH', `${PATH}/${id}`, { url: 'smtps://other.example' });
    expect(await refusal(id, { options })).toEqual([
      400,
      expect.stringMatching(/^secret must be the password/),
    ]);
    await ok('PATCH', `${PATH}/${id}`, { options, secret: 'pw' });
  });

  it('of Jira is used for no other account, and the next one for it only', async () => {
    const jira = await JiraServer.start();
    try {
      const options = { ...JIRA.options, user: jira.user };
      const { id } = await add({ ...JIRA, url: jira.origin, secret: jira.token, options });
      const other = { ...options, user: 'eve@example.com' };
      expect(await refusal(id, { options: other })).toEqual([
        400,
        expect.stringMatching(/^secret must be an API token of the account options\.user if url or options/),
      ]);
      expect(await ok('POST', `${PATH}/${id}/test`)).toMatchObject({ ok: true });
      await ok('PATCH', `${PATH}/${id}`, { options: other, secret: 'token-of-eve' });
      expect(await ok('POST', `${PATH}/${id}/test`)).toMatchObject({ ok: false });
      await ok('PATCH', `${PATH}/${id}`, { options, secret: jira.token });
      expect(await ok('POST', `${PATH}/${id}/test`)).toMatchObject({ ok: true });
    } finally {
      jira.close();
    }
  });

  it.each([
    ['github', { kind: 'github', url: 'https://github.com/o/r', secret: 'x' }],
    ['slack', { kind: 'slack', url: undefined, secret: 'https://hooks.slack.example/x' }],
  ])('of %s is replaced by a rotation only', async (_, given) => {
    const { id } = await add(given);
    const expected = [400, expect.stringMatching(/^secret of \w+ cannot change here: .*\/rotate$/)];
    expect(await refusal(id, { secret: 'y' })).toEqual(expected);
  });
});

describe('GET /api/v3/webhooks/{id}/deliveries', () => {
  it('lists them newest first, page by page', async () => {
    const webhook = await add();
    for (let i = 0; i < 5; i += 1) {
      await later(1_000);
      await onItsWay(webhook);
      await gateway.database.pool.query(
        `update webhook_deliveries set status = 'delivered', finished_at = now()`,
      );
    }
    const path = `${PATH}/${webhook.id}/deliveries?limit=2`;
    const times: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { createdAt: string; messageId: string }[]; nextCursor: string | null } = await ok(
        'GET',
        `${path}${cursor && `&cursor=${cursor}`}`,
      );
      times.push(...page.items.map(({ createdAt }) => createdAt));
      cursor = page.nextCursor;
    }
    expect(times).toHaveLength(5);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

describe('who may', () => {
  it.each(['analyst', 'viewer'] as const)('%s may not even see webhooks', async (role) => {
    const other = await gateway.client(role);
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['GET', `${PATH}/${NOBODY}`],
      ['POST', `${PATH}/${NOBODY}/replay`],
    ] as const) {
      const { status } = await other.request(method, path, method === 'POST' ? '{}' : undefined);
      expect([method, path, status]).toEqual([method, path, 403]);
    }
  });

  it.each([
    ['cloudevents', { url: URL_WITH_TOKEN }, 'changes:read', 'findings:read', {}],
    ['jira', JIRA, 'findings:read', 'changes:read', { secret: 'another-token' }],
  ] as const)(
    'a webhook of the kind %s only sends what its caller may read',
    async (kind, given, needed, other, rotation) => {
      const { id } = await add({ ...given, enabled: false });
      const withScope = async (scope: string) => {
        const scopes = ['webhooks:write', 'webhooks:read', scope];
        const { token } = await ok<{ token: string }>('POST', '/api/v3/tokens', {
          name: `${kind}-${scope.split(':')[0]}`,
          scopes,
        });
        return async (method: string, path: string, body?: object) => {
          const headers = { authorization: `Bearer ${token}` };
          const answer = await fetch(`${gateway.url}${path}`, {
            method,
            headers,
            body: JSON.stringify(body),
          });
          return { status: answer.status, body: await answer.json() };
        };
      };
      const acts: [string, string, object?][] = [
        ['POST', PATH, given],
        ['PATCH', `${PATH}/${id}`, { enabled: true }],
        ['POST', `${PATH}/${id}/resume`],
        ['POST', `${PATH}/${id}/replay`, { from: '1970-01-01T00:00:00Z' }],
        ['POST', `${PATH}/${id}/rotate`, rotation],
      ];
      const [without, permitted] = [await withScope(other), await withScope(needed)];
      for (const act of acts) {
        expect([act, await without(...act)]).toEqual([
          act,
          {
            status: 403,
            body: expect.objectContaining({
              message: `a webhook of the kind ${kind} requires the scope ${needed}`,
            }),
          },
        ]);
      }
      for (const act of acts) expect([act, (await permitted(...act)).status]).toEqual([act, 200]);
      for (const act of ['pause', 'test']) {
        expect((await without('POST', `${PATH}/${id}/${act}`)).status).toBe(200);
      }
      expect((await without('DELETE', `${PATH}/${id}`, {})).status).toBe(200);
    },
  );

  it('404 if it does not exist, 400 if the id is invalid', async () => {
    for (const path of ['/test', '/rotate', '/pause', '/resume']) {
      expect((await send('POST', `${PATH}/${NOBODY}${path}`)).status).toBe(404);
    }
    expect((await send('POST', `${PATH}/${NOBODY}/replay`, { from: 'f:0.0.0.0' })).status).toBe(404);
    expect((await send('PATCH', `${PATH}/${NOBODY}`, { enabled: true })).status).toBe(404);
    expect((await send('GET', `${PATH}/${NOBODY}/deliveries`)).status).toBe(404);
    expect((await send('GET', `${PATH}/x`)).status).toBe(400);
  });
});

describe('the audit trail', () => {
  it('records the number of recipients of tickets, and no e-mail address', async () => {
    const options = { ...MAIL, user: 'mail-user-never-to-be-seen', openedPerHourMax: 7 };
    const { id } = await add({ kind: 'email', url: 'smtps://mail.example', secret: 'pw', options });
    const to = ['bo@never-to-be-seen.example', 'cy@never-to-be-seen.example'];
    await ok('PATCH', `${PATH}/${id}`, { options: { ...options, to } });
    await ok('PATCH', '/api/v3/settings', { platformVersion: '4.2' });
    const acts = (await client.all<ActDto>(`/api/v3/audit?target=${id}`)).toReversed();
    expect(acts.map(({ detail }) => (detail as { after: { options: object } }).after.options)).toEqual([
      { openedPerHourMax: 7, recipients: MAIL.to.length },
      { openedPerHourMax: 7, recipients: 2 },
    ]);
    const [logged] = await gateway.database.pool
      .query(`select string_agg(encode(value, 'escape'), '') as text from log_records`)
      .then(({ rows }) => rows);
    for (const hidden of ['never-to-be-seen', MAIL.from, ...MAIL.to])
      expect(logged.text).not.toContain(hidden);
  });

  it('records each act without a secret, a path or a query', async () => {
    const { id, secret } = await add({ topics: ['findings'], secret: SECRET });
    await ok('PATCH', `${PATH}/${id}`, { filter: { severityMin: 5 } });
    await ok('POST', `${PATH}/${id}/pause`);
    await ok('POST', `${PATH}/${id}/resume`);
    await ok('POST', `${PATH}/${id}/replay`, { from: 'f:0.0.0.0' });
    const { secret: next } = await ok<WebhookWithSecretDto>('POST', `${PATH}/${id}/rotate`, {});
    const last = await send('DELETE', `${PATH}/${id}`);
    expect(last.status).toBe(200);
    const { id: jira } = await add({ ...JIRA, secret: 'first-never-to-be-seen' });
    await ok('PATCH', `${PATH}/${jira}`, { secret: 'second-never-to-be-seen' });
    // Acts are folded a moment later: one that waits for its fold comes after all of them.
    await ok('PATCH', '/api/v3/settings', { platformVersion: '4.1' });
    const acts = (await client.all<ActDto>(`/api/v3/audit?target=${id}`)).toReversed();
    expect(acts.map(({ action, detail }) => [action, (detail as { after: object }).after])).toEqual([
      [
        'webhook.added',
        {
          webhookId: id,
          url: 'https://receiver.example:8443',
          topics: ['findings'],
          filter: {},
          enabled: true,
        },
      ],
      ['webhook.changed', { webhookId: id, filter: { severityMin: 5 } }],
      ['webhook.paused', { webhookId: id }],
      ['webhook.resumed', { webhookId: id }],
      ['webhook.replayed', { webhookId: id, from: 'f:0.0.0.0' }],
      ['webhook.rotated', { webhookId: id }],
      ['webhook.removed', { webhookId: id, url: 'https://receiver.example:8443' }],
    ]);
    const [changed] = await client.all<ActDto>(`/api/v3/audit?target=${jira}`);
    expect(changed).toMatchObject({
      action: 'webhook.changed',
      detail: { after: { webhookId: jira, secrets: ['secret'] } },
    });
    const { rows } = await gateway.database.pool.query(
      `select encode(value, 'escape') as value from log_records`,
    );
    const seen = [...gateway.lines, JSON.stringify(acts), JSON.stringify(rows)].join();
    for (const hidden of [secret, next, 'never-to-be-seen']) expect(seen).not.toContain(hidden);
  });
});
