import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { AssetsService } from '../../apps/gateway/src/assets/assets.service.ts';
import { AccessWatch } from '../../apps/gateway/src/auth/access-watch.ts';
import { FindingsService } from '../../apps/gateway/src/findings/findings.service.ts';
import { fixtureNamed } from '../fixtures/convert/reports.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { EventStream } from '../support/event-stream.ts';
import { slowBody } from '../support/slow-body.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const ID = '00000000-0000-4000-8000-000000000000';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Without an expiry for far longer than a test takes. */
const ENDS_MS_MAX = 8_000;

let now = Date.now();
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  // Nothing folds: requests that wait for the fold wait until the timeout.
  gateway = await StartedGateway.start({ clock: () => now });
  other = await StartedGateway.start({ beside: gateway, clock: () => now });
  admin = await gateway.client('admin');
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

interface AccessUser {
  credentialId: string;
  authorization: string;
  client: ApiClient;
}

async function newCredential(role = 'admin', at = gateway): Promise<AccessUser> {
  const { body } = await admin.request(
    'POST',
    '/api/v3/credentials',
    JSON.stringify({ username: `asking-${randomUUID()}`, role }),
  );
  const basic = Buffer.from(`${body.username}:${body.password}`).toString('base64');
  const answer = await fetch(`${at.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return {
    credentialId: body.id,
    authorization: `Bearer ${accessToken}`,
    client: await ApiClient.signIn(at.url, body),
  };
}

const ENDS: [end: string, reason: string, of: (user: AccessUser) => Promise<unknown>][] = [
  [
    'deleted',
    'revoked',
    ({ credentialId }) => admin.request('DELETE', `/api/v3/credentials/${credentialId}`),
  ],
  [
    'rotated',
    'revoked',
    ({ credentialId }) => admin.request('POST', `/api/v3/credentials/${credentialId}/rotate`),
  ],
  [
    'deleted at another gateway',
    'revoked',
    async ({ credentialId }) => {
      const elsewhere = await other.client('admin');
      return elsewhere.request('DELETE', `/api/v3/credentials/${credentialId}`);
    },
  ],
  [
    'deleted after the connections to the database were cut',
    'revoked',
    async ({ credentialId }) => {
      const { pool } = other.database;
      await pool
        .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
        .catch(() => undefined);
      await until('the deletion', async () =>
        pool.query('delete from credentials where id = $1', [credentialId]).then(
          () => true,
          () => false,
        ),
      );
    },
  ],
  [
    'left to expire',
    'expired',
    async () => {
      now += HOUR_MS;
      admin = await gateway.client('admin');
    },
  ],
];

/** Within the time, or the test says what did not end. */
async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end`)), ENDS_MS_MAX);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

describe.each(ENDS)('requests in progress of a credential that is %s', (_end, reason, endAccess) => {
  it('its change stream ends, and says why in a last event', async () => {
    const user = await newCredential('viewer');
    const stream = await EventStream.open(`${gateway.url}/api/v3/changes`, {
      authorization: user.authorization,
    });
    const last = stream.next();
    await endAccess(user);
    expect(await within('the stream', last)).toMatchObject({
      event: 'end',
      id: undefined,
      data: { reason, message: expect.stringMatching(/sign in/) },
    });
    expect(await within('the stream', stream.next())).toBeNull();
  });

  it('its upload that waits for the fold gets the current state as response', async () => {
    const user = await newCredential('analyst');
    const before = await gateway.logSize();
    const answer = user.client.signal(plainSignal('waiting', 'host'), { prefer: 'wait=60' });
    await until('the append', async () => (await gateway.logSize()) > before);
    await endAccess(user);
    const { status, headers, body } = await within('the upload', answer);
    expect([status, body.accepted, headers.get('preference-applied')]).toEqual([200, 1, null]);
  });
});

/** Lists that never end. */
function endlessLists(): void {
  for (const list of [FindingsService.prototype, AssetsService.prototype]) {
    jest.spyOn(list, 'list').mockImplementation(async () => {
      await new Promise(setImmediate);
      return { items: [{}], nextCursor: 'more' } as never;
    });
  }
}

async function exportIsCut(list: string, authorization: string, endAccess: () => Promise<unknown>) {
  const answer = await fetch(`${gateway.url}/api/v3/${list}/export?format=jsonl`, {
    headers: { authorization },
  });
  expect(answer.status).toBe(200);
  await Promise.all([
    expect(within(`the export of ${list}`, answer.text())).rejects.toThrow('terminated'),
    endAccess(),
  ]);
}

describe('an export of an API token with limits is cut', () => {
  const scopes = ['findings:read', 'assets:read'];
  const changed = async (id: string, changes: object) => {
    const elsewhere = await other.client('admin');
    const { status } = await elsewhere.request('PATCH', `/api/v3/tokens/${id}`, JSON.stringify(changes));
    expect(status).toBe(200);
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['revoked', async (id) => (await other.client('admin')).request('DELETE', `/api/v3/tokens/${id}`)],
    ['changed to fewer departments', (id) => changed(id, { departments: ['Sales'] })],
    ['changed to other scopes', (id) => changed(id, { scopes: ['uploads:read'] })],
    ['changed to another network', (id) => changed(id, { networks: ['192.0.2.0/24'] })],
  ])('when the token is %s at another gateway', async (_, endAccess) => {
    endlessLists();
    for (const list of ['findings', 'assets']) {
      const given = { name: `limited-${randomUUID()}`, scopes, departments: ['Sales', 'Finance'] };
      const { body } = await admin.request('POST', '/api/v3/tokens', JSON.stringify(given));
      await exportIsCut(list, `Bearer ${body.token}`, () => endAccess(body.id));
    }
  });
});

describe('a request under way when its credential is deleted', () => {
  it('has its export cut, so that no file looks whole', async () => {
    endlessLists();
    for (const list of ['findings', 'assets']) {
      const { credentialId, authorization } = await newCredential('viewer');
      await exportIsCut(list, authorization, () =>
        admin.request('DELETE', `/api/v3/credentials/${credentialId}`),
      );
    }
  });

  it('appends nothing of a late body', async () => {
    const { credentialId, authorization } = await newCredential('analyst');
    const before = await gateway.logSize();
    const begun = jest.spyOn(AccessWatch.prototype, 'begin');
    const { body, end } = slowBody(JSON.stringify(plainSignal('late', 'host')));
    const answer = fetch(`${gateway.url}/api/v3/signals`, {
      method: 'POST',
      headers: { authorization },
      body,
      duplex: 'half',
    } as RequestInit);
    await until('the request', () => begun.mock.calls.length > 0);
    const { signal } = begun.mock.results[0]!.value as { signal: AbortSignal };
    await gateway.database.pool.query('delete from credentials where id = $1', [credentialId]);
    await until('the end of its access', () => signal.aborted);
    end();
    expect((await within('the upload', answer)).status).toBe(401);
    expect(await gateway.logSize()).toBe(before);
  });

  it('says in its 401 that an act may have taken effect, once it has begun', async () => {
    const { credentialId, client } = await newCredential();
    const { append } = gateway.log;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const appending = jest.spyOn(gateway.log, 'append').mockImplementation(async (...given) => {
      await released;
      return append.apply(gateway.log, given);
    });
    const before = await gateway.logSize();
    const answer = client.request('PATCH', '/api/v3/settings', JSON.stringify({ maxLagSeconds: 301 }));
    await until('the append', () => appending.mock.calls.length > 0);
    await gateway.database.pool.query('delete from credentials where id = $1', [credentialId]);
    expect(await within('the act', answer)).toMatchObject({
      status: 401,
      body: { mayHaveTakenEffect: true, message: expect.stringContaining('may have taken effect') },
    });
    release();
    await until('the event', async () => (await gateway.logSize()) > before);
  });

  it('gets the new password of the credential that it is sent with', async () => {
    const { client, credentialId } = await newCredential();
    const { status, body } = await client.request('POST', `/api/v3/credentials/${credentialId}/rotate`);
    expect([status, body.password]).toEqual([200, expect.stringMatching(/^[\w-]{24}$/)]);
  });
});

/** The input that a route needs to reach the database or the log; omitted routes need none. */
const BODIES: Record<string, object> = {
  'post /api/v3/credentials': { username: 'x', role: 'viewer' },
  'post /api/v3/roles': { name: 'x', scopes: ['uploads:read'] },
  'patch /api/v3/roles/{name}': { scopes: ['uploads:read'] },
  'post /api/v3/identity-providers': {
    id: 'x',
    label: 'x',
    issuer: 'https://id.example.com',
    clientId: 'x',
    clientSecret: 'x',
    grants: { x: ['viewer'] },
  },
  'patch /api/v3/identity-providers/{id}': { label: 'x' },
  'post /api/v3/tokens': { name: 'x', scopes: ['uploads:read'] },
  'post /api/v3/signals': plainSignal('held', 'host'),
  'post /api/v3/scores/what-if': { fixed: [ID] },
  'post /api/v3/findings/accept': { filter: { name: 'x' }, rationale: 'known', dryRun: true },
  'post /api/v3/findings/revert': { filter: { name: 'x' }, to: 'Failed', dryRun: true },
  'post /api/v3/findings/acts': { ids: [ID], tags: { add: ['x'] } },
  'post /api/v3/findings/{id}/accept': { rationale: 'known' },
  'post /api/v3/findings/{id}/revert': { to: 'Failed' },
  'post /api/v3/findings/{id}/assign': { assignee: null },
  'post /api/v3/findings/{id}/comments': { text: 'x' },
  'post /api/v3/findings/{id}/due': { due: null },
  'patch /api/v3/settings': { version: 0, maxLagSeconds: 60 },
  'post /api/v3/owner-rules': { rules: [] },
  'post /api/v3/owner-rules/preview': { rules: [] },
  'post /api/v3/company/departments': { name: 'x' },
  'patch /api/v3/company/departments/{id}': { name: 'x' },
  'post /api/v3/locations': { name: 'x' },
  'patch /api/v3/locations/{id}': { name: 'x' },
  'post /api/v3/custom-fields': { name: 'x', type: 'Text' },
  'patch /api/v3/custom-fields/{id}': { name: 'x' },
  'post /api/v3/webhooks': { url: 'https://example.com/' },
  'patch /api/v3/webhooks/{id}': { version: 1, enabled: true },
  'post /api/v3/webhooks/{id}/replay': { from: 'beginning' },
  'post /api/v3/report-schedules': {
    ...{ name: 'x', report: 'board', cron: '0 8 * * 1' },
    webhook: { url: 'https://example.com/' },
  },
  'patch /api/v3/report-schedules/{id}': { name: 'x' },
  'post /api/v3/report-schedules/preview': { cron: '0 8 * * 1', timeZone: 'UTC' },
  'patch /api/v3/notification-settings': { slackHosts: ['hooks.slack.com'] },
  'patch /api/v3/notifications/{id}': { read: true },
  'post /api/v3/notifications/read': {},
  'patch /api/v3/notifications/preferences': { weekday: 2 },
  'post /api/v3/views': { name: 'x', list: 'findings', query: '' },
  'patch /api/v3/views/{id}': { default: true },
  'post /api/v3/plans': { name: 'x', add: [ID] },
  'patch /api/v3/plans/{id}': { name: 'x' },
  'post /api/v3/reports': JSON.parse(fixtureNamed('Trivy').content),
};

/** By the ends of paths. */
const QUERIES: Record<string, string> = {
  '/export': '?format=jsonl',
  '/zip': '?dryRun=true',
  '/explain': '?from=2026-01-01T00:00:00Z',
  '/history-retention/preview': '?type=va&days=30',
  '/summary': '?type=va',
  '/findings/groups': '?by=cve',
};

const LEFT_OUT = [
  // They take no token.
  ...['post /api/v3/auth', 'post /api/v3/sessions', 'get /metrics'],
  // A gateway receives two reports at a time: here that of /api/v3/reports and that of reimport-scan.
  'post /api/v2/import-scan',
];

/**
 * Served or rejected from memory or from `credentials`, `api_tokens`, `roles`, `second_factors`, `sessions`, `users`, `saved_views`, `default_views` and the tables of notifications of a person, which the deletion of a credential writes, the only tables that are not locked: without a wait if a connection
 * is free. Every other route is paused during its request.
 */
const AT_ONCE = [
  'post /api/v3/report-schedules/preview',
  'get /api/v3/reports/formats',
  'get /api/v3/credentials',
  'delete /api/v3/credentials/{id}',
  'delete /api/v3/credentials/{id}/second-factor',
  'delete /api/v3/credentials/{id}/break-glass',
  'post /api/v3/credentials/{id}/break-glass',
  'get /api/v3/users',
  'patch /api/v3/users/{id}',
  'delete /api/v3/users/{id}',
  'get /api/v3/second-factor',
  'post /api/v3/second-factor',
  'post /api/v3/second-factor/confirm',
  'post /api/v3/second-factor/recovery-codes',
  'post /api/v3/second-factor/remove',
  'post /api/v3/credentials/{id}/rotate',
  'get /api/v3/tokens',
  'get /api/v3/tokens/{id}',
  'delete /api/v3/tokens/{id}',
  'post /api/v3/tokens/{id}/rotate',
  'get /api/v3/notifications',
  'get /api/v3/notifications/unread',
  'patch /api/v3/notifications/{id}',
  'post /api/v3/notifications/read',
  'get /api/v3/views',
  'post /api/v3/views',
  'get /api/v3/views/{id}',
  'patch /api/v3/views/{id}',
  'delete /api/v3/views/{id}',
  'get /api/v3/me',
  'get /api/v3/session',
  'post /api/v3/session/extend',
  'get /api/v3/sessions',
  'post /api/v3/sessions/end-others',
  'delete /api/v3/sessions/{id}',
  // Without a body.
  'post /api/v3/erasures',
  // No history has a retention.
  'post /api/v3/history-retention/runs',
  'get /api/v3/roles',
  'patch /api/v3/roles/{name}',
  'delete /api/v3/roles/{name}',
  'get /api/v3/egress',
  'get /api/v3/settings',
  'get /api/v3/owner-rules',
  'get /settings/os-to-safe-asset-type-mapping',
  'post /settings/os-to-safe-asset-type-mapping',
  'get /api/v3/company/departments',
  'patch /api/v3/company/departments/{id}',
  'delete /api/v3/company/departments/{id}',
  'get /api/v3/locations',
  'patch /api/v3/locations/{id}',
  'delete /api/v3/locations/{id}',
  'get /api/v3/custom-fields',
  'get /api/v3/custom-fields/{id}',
  'patch /api/v3/custom-fields/{id}',
  'delete /api/v3/custom-fields/{id}',
  'post /integration',
  'post /integrations/test',
];

describe('every route of the OpenAPI document', () => {
  it('responds with 401 within a second of the end, in any wait', async () => {
    const { paths } = (await (await fetch(`${gateway.url}/docs-json`)).json()) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => METHODS.includes(method) && operations[method]!.security?.length)
        .map((method) => `${method} ${path}`)
        .filter((route) => !LEFT_OUT.includes(route)),
    );
    expect(routes.length).toBeGreaterThan(60);
    // A credential has one export at a time.
    const exporting: Record<string, Awaited<ReturnType<typeof newCredential>>> = {
      'get /api/v3/findings/export': await newCredential(),
      'get /api/v3/security-events/export': await newCredential(),
    };
    const user = await newCredential();
    const zip = await zipOf({ 'a.json': plainSignal('held', 'host') });
    const begun = jest.spyOn(AccessWatch.prototype, 'begin');
    const locks = openDatabase(gateway.database.url, { max: 2 });
    const answers: Record<string, number | string> = {};
    const holder = await locks.pool.connect();
    try {
      await holder.query('begin');
      const { rows } = await holder.query<{ tables: string }>(
        `select string_agg(quote_ident(tablename), ',') as tables from pg_tables
          where schemaname = 'public' and tablename not in ('api_tokens', 'credentials', 'default_views', 'migrations', 'notification_messages', 'notification_people', 'notifications', 'roles', 'saved_views', 'second_factors', 'sessions', 'users')`,
      );
      await holder.query(`lock table ${rows[0]!.tables} in access exclusive mode`);
      const asked = routes.map(async (route) => {
        answers[route] = 'nothing';
        const { authorization } = exporting[route] ?? user;
        answers[route] = await statusOf(route, authorization, zip);
      });
      await until('all requests', () => begun.mock.calls.length === routes.length);
      await locks.pool.query(`delete from credentials where username like 'asking-%'`);
      await within('some requests', Promise.all(asked));
    } finally {
      await holder.query('rollback');
      holder.release();
      await locks.close();
    }
    const held = routes.filter((route) => !AT_ONCE.includes(route));
    const of = (asked: string[]) => Object.fromEntries(asked.map((route) => [route, answers[route]]));
    expect(of(held)).toEqual(Object.fromEntries(held.map((route) => [route, 401])));
  });
});

/** The id of an identity provider is a short name. */
const pathOf = (path: string): string =>
  path.replace('identity-providers/{id}', 'identity-providers/corp').replaceAll(/\{\w+\}/g, ID);

async function statusOf(route: string, authorization: string, zip: Buffer): Promise<number> {
  const [method, path] = route.split(' ') as [string, string];
  const query = Object.entries(QUERIES).find(([end]) => path.endsWith(end))?.[1] ?? '';
  const body = /zip$|-scan$/.test(path) ? formOf(path, zip) : JSON.stringify(BODIES[route] ?? {});
  const answer = await fetch(`${gateway.url}${pathOf(path)}${query}`, {
    method: method.toUpperCase(),
    headers: { authorization },
    ...(method !== 'get' && method !== 'delete' && { body }),
  });
  await answer.text();
  return answer.status;
}

/** A ZIP of signals, or a report with the fields of an import. */
function formOf(path: string, zip: Buffer): FormData {
  const form = new FormData();
  if (path.endsWith('/zip')) {
    form.append('file', new Blob([new Uint8Array(zip)]), 'signals.zip');
    return form;
  }
  form.append('file', new Blob([fixtureNamed('Grype').content]), 'report.json');
  const fields = { scan_type: 'Anchore Grype', product_name: 'shop', engagement_name: 'nightly' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
