import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { firstAdmin } from '../../apps/gateway/src/auth/first-admin.ts';
import { PasswordHasher } from '../../apps/gateway/src/auth/password-hasher.ts';
import type { Role } from '../../apps/gateway/src/auth/scopes.ts';
import { type Answer, ApiClient, zipOf } from '../support/api-client.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { appendingFails } from './appending-fails.ts';
import type { Row } from './row.ts';
import { named, passed, signal } from './signals.ts';
import { MINUTE_MS, Site } from './site.ts';

const CREDENTIALS = '/api/v3/credentials';
const MAPPING = '/settings/os-to-safe-asset-type-mapping';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const STACK = /node_modules|\n\s*at |\.[jt]s:\d+/;

type Body = any;
type Gateway = Pick<Site, 'gateway'>;

/** What `POST /api/v3/auth` answers. */
async function signIn({ gateway }: Gateway, username: string, password: string): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** Credentials of the role that every site begins with. */
function startCredentials({ gateway }: Gateway, role: Role): [username: string, password: string] {
  const [username, password] = gateway.credentialsOf(role).split(':');
  return [username!, password!];
}

async function statusWith({ gateway }: Site, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${gateway.url}/api/v3/settings`, { headers })).status;
}

const newCredential = async (site: Site, role: Role = 'viewer'): Promise<Body> =>
  (await site.post(CREDENTIALS, { username: site.host(), role })).body;

/** A request that a role may or may not make, without effects on other tests. */
type Act = (client: ApiClient, site: Site) => Promise<number>;

const send =
  (method: string, path: string, body?: unknown): Act =>
  async (client) =>
    (await client.request(method, path, body === undefined ? undefined : JSON.stringify(body))).status;

const ACTS: Record<string, { who: Role[]; act: Act }> = {
  read: { who: ['admin', 'analyst', 'viewer'], act: send('GET', '/api/v3/findings') },
  'read settings': { who: ['admin', 'analyst', 'viewer'], act: send('GET', '/api/v3/settings') },
  'upload JSON': {
    who: ['admin', 'analyst'],
    act: async (client) => (await client.signal(signal('any'))).status,
  },
  'upload a ZIP': {
    who: ['admin', 'analyst'],
    act: async (client) => (await client.zip(await zipOf({ '1.json': signal('any') }))).status,
  },
  'accept and revert': {
    who: ['admin', 'analyst'],
    act: async (client, site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      const act = (what: string, body: object) =>
        client.request('POST', `/api/v3/findings/${id}/${what}`, JSON.stringify(body));
      const { status } = await act('accept', { rationale: 'known' });
      expect((await act('revert', { to: 'NotAssessed' })).status).toBe(status);
      return status;
    },
  },
  'change settings': { who: ['admin'], act: send('PATCH', '/api/v3/settings', { maxLagSeconds: 300 }) },
  'list credentials': { who: ['admin'], act: send('GET', CREDENTIALS) },
  'add a department': {
    who: ['admin'],
    act: (client, site) => send('POST', '/api/v3/company/departments', { name: site.host() })(client, site),
  },
  'add a custom field': {
    who: ['admin'],
    act: (client, site) => send('POST', '/api/v3/custom-fields', { name: site.host() })(client, site),
  },
  'change the mapping': {
    who: ['admin'],
    act: async (client, site) => send('POST', MAPPING, await site.client.get(MAPPING))(client, site),
  },
};

/** Every kind of refusal that a client meets, by its status. */
const REFUSALS: [status: number, what: string, ask: (site: Site) => Promise<Answer>][] = [
  [400, 'malformed JSON', (site) => site.client.signal("{'id': 1}")],
  [400, 'several wrong fields', (site) => site.client.signal({ id: 1, name: 2, entity: 3 })],
  [400, 'a malformed ZIP', (site) => site.zip(Buffer.from('x'))],
  [400, 'an unknown query parameter', (site) => site.client.request('GET', '/api/v3/findings?colour=red')],
  [400, 'an unknown field', (site) => site.send('PATCH', '/api/v3/settings', { colour: 'red' })],
  [400, 'what is no id', (site) => site.client.request('GET', '/api/v3/findings/x')],
  [401, 'wrong credentials', (site) => signIn(site, 'nobody', 'wrong')],
  [
    401,
    'an invalid token',
    (site) => site.client.request('GET', '/api/v3/findings', undefined, { authorization: 'Bearer x.y.z' }),
  ],
  [403, 'a role too low', async (site) => (await site.as('viewer')).signal(signal('any'))],
  [404, 'an unknown route', (site) => site.client.request('GET', '/api/v3/nothing')],
  [404, 'an unknown finding', (site) => site.client.request('GET', `/api/v3/findings/${NOBODY}`)],
  [
    409,
    'a conflict',
    async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host, passed()));
      return site.accept(id);
    },
  ],
  [413, 'a body that is too large', (site) => site.client.signal('x'.repeat(1_048_577))],
  [
    422,
    'a key with another body',
    async (site) => {
      const headers = { 'idempotency-key': site.host() };
      await site.client.signal(named('one', 'any'), headers);
      return site.client.signal(named('two', 'any'), headers);
    },
  ],
];

export const ACCESS: Row[] = [
  ...Object.entries(ACTS).map(
    ([what, { who, act }]): Row => ({
      rule: 'R-AUTH-3',
      says: `roles: to ${what} takes ${who.join(' or ')}`,
      holds: async (site) => {
        for (const role of ['admin', 'analyst', 'viewer'] as const) {
          expect([role, await act(await site.as(role), site)]).toEqual([
            role,
            who.includes(role) ? 200 : 403,
          ]);
        }
      },
    }),
  ),
  {
    rule: 'R-AUTH-5',
    says: 'API credentials are shown once',
    holds: async (site) => {
      const { username, password } = await newCredential(site);
      expect(password).toMatch(/^\S{20,}$/);
      expect((await signIn(site, username, password)).status).toBe(200);
      expect(JSON.stringify(await site.client.get(`${CREDENTIALS}?limit=500`))).not.toContain(password);
      expect(site.gateway.lines.join('')).not.toContain(password);
    },
  },
  {
    rule: 'R-AUTH-5',
    says: 'and stored as argon2id',
    holds: async (site) => {
      const { id, password } = await newCredential(site);
      const { password_hash } = await site.gateway.database.db
        .selectFrom('credentials')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(password_hash).toMatch(/^\$argon2id\$/);
      expect(password_hash).not.toContain(password);
    },
  },
  {
    rule: 'R-AUTH-7',
    says: 'a verified one is remembered 60 s',
    holds: async (site) => {
      const { id, username, password } = await newCredential(site);
      expect((await signIn(site, username, password)).status).toBe(200);
      const password_hash = await new PasswordHasher().hash('another');
      await site.gateway.database.db
        .updateTable('credentials')
        .set({ password_hash })
        .where('id', '=', id)
        .execute();
      expect((await signIn(site, username, password)).status).toBe(200);
      await site.pass(MINUTE_MS);
      expect((await signIn(site, username, password)).status).toBe(401);
    },
  },
  {
    rule: 'R-AUTH-7',
    says: 'argon2 runs with a bounded queue: too many sign-ins at once are a 429 with the seconds',
    holds: () =>
      Site.during({ folds: false }, async (site) => {
        const answers = await Promise.all(
          Array.from({ length: 90 }, (_, i) => signIn(site, `user${i}`, 'wrong')),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
        const { body, headers } = answers.find(({ status }) => status === 429)!;
        expect([body.message, `${body.retryIn}`]).toEqual([
          expect.stringMatching(/^\d+$/),
          headers.get('retry-after'),
        ]);
      }),
  },
  {
    rule: 'R-AUTH-2',
    says: 'tokens are signed JWTs',
    holds: async (site) => {
      const { accessToken } = (await signIn(site, ...startCredentials(site, 'viewer'))).body;
      const [header, payload, signature] = accessToken.split('.');
      const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
      expect(decoded(header).alg).not.toBe('none');
      const forged = Buffer.from(JSON.stringify({ ...decoded(payload), role: 'admin' })).toString(
        'base64url',
      );
      const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
      expect(await statusWith(site, accessToken)).toBe(200);
      for (const token of [`${header}.${forged}.${signature}`, `${unsigned}.${payload}.`]) {
        expect(await statusWith(site, token)).toBe(401);
      }
    },
  },
  {
    rule: 'R-AUTH-2',
    says: 'of 60 minutes',
    holds: async (site) => {
      const { accessToken } = (await signIn(site, ...startCredentials(site, 'viewer'))).body;
      await site.pass(59 * MINUTE_MS);
      expect(await statusWith(site, accessToken)).toBe(200);
      await site.pass(MINUTE_MS + 1_000);
      expect(await statusWith(site, accessToken)).toBe(401);
    },
  },
  {
    rule: 'R-AUTH-6',
    says: 'deleting a credential ends its tokens',
    holds: async (site) => {
      const { id, username, password } = await newCredential(site);
      const { accessToken } = (await signIn(site, username, password)).body;
      expect(await statusWith(site, accessToken)).toBe(200);
      expect((await site.send('DELETE', `${CREDENTIALS}/${id}`)).status).toBe(200);
      expect(await statusWith(site, accessToken)).toBe(401);
      expect((await signIn(site, username, password)).status).toBe(401);
    },
  },
  {
    rule: 'R-AUTH-9',
    says: 'first start creates one admin credential',
    holds: () =>
      Site.during({ folds: false }, async (site) => {
        const { db } = site.gateway.database;
        await db.deleteFrom('credentials').execute();
        const dataDir = await mkdtemp(join(tmpdir(), 'posture-decisions-'));
        try {
          const parts = { config: { dataDir }, db, clock: () => site.now } as Parameters<
            typeof firstAdmin
          >[0];
          const made = await firstAdmin(parts);
          expect(await firstAdmin(parts)).toBeNull();
          const client = await ApiClient.signIn(site.gateway.url, made!);
          expect(await client.all(CREDENTIALS)).toMatchObject([{ username: 'admin', role: 'admin' }]);
        } finally {
          await rm(dataDir, { recursive: true });
        }
      }),
  },
  {
    rule: 'R-AUTH-8',
    says: 'failed log-ins are limited per user name and address',
    holds: async (site) => {
      const [guessed, other] = [await newCredential(site), await newCredential(site)];
      for (let i = 0; i < 10; i += 1) expect((await signIn(site, guessed.username, `${i}`)).status).toBe(401);
      const limited = await signIn(site, guessed.username, guessed.password);
      expect([limited.status, limited.body.message]).toEqual([429, expect.stringMatching(/^\d+$/)]);
      expect((await signIn(site, other.username, other.password)).status).toBe(200);
      await site.pass(Number(limited.body.message) * 1_000);
      expect((await signIn(site, guessed.username, guessed.password)).status).toBe(200);
    },
  },
  {
    rule: 'R-AUTH-10',
    says: 'sign-ins that need Postgres while it is away answer 503',
    holds: async () => {
      const gateway = await StartedGateway.start({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere' });
      try {
        const { status, body, headers } = await signIn(
          { gateway },
          ...startCredentials({ gateway }, 'admin'),
        );
        expect([status, body.message]).toEqual([503, expect.stringMatching(/retry later/)]);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      } finally {
        await gateway.stop();
      }
    },
  },
  {
    rule: 'R-AUTH-1',
    says: '`POST /api/v3/auth` answers `accessToken`, `status`, `expiresIn`',
    holds: async (site) => {
      const { status, body } = await signIn(site, ...startCredentials(site, 'admin'));
      expect([status, body]).toEqual([
        200,
        { accessToken: expect.any(String), status: 'success', expiresIn: 3600 },
      ]);
    },
  },
  {
    rule: 'R-AUTH-1',
    says: 'wrong credentials 401',
    holds: async (site) => {
      const [username] = startCredentials(site, 'admin');
      expect((await signIn(site, username, 'wrong')).status).toBe(401);
      expect((await signIn(site, 'nobody', 'wrong')).status).toBe(401);
      expect((await fetch(`${site.gateway.url}/api/v3/auth`, { method: 'POST' })).status).toBe(401);
    },
  },
  {
    rule: 'R-HTTP-2',
    says: 'every POST answers 200, never 201',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      const name = { name: site.host() };
      const credential = await site.post(CREDENTIALS, { username: site.host(), role: 'viewer' });
      const answers = {
        auth: await signIn(site, ...startCredentials(site, 'admin')),
        signals: await site.client.signal(signal(host)),
        zip: await site.zip({ '1.json': signal(host) }),
        preview: await site.zip({ '1.json': signal(host) }, '?dryRun=true'),
        accept: await site.accept(id),
        revert: await site.revert(id, 'Failed'),
        acceptMany: await site.post('/api/v3/findings/accept', {
          filter: { name: 'Open port' },
          rationale: 'known',
          dryRun: true,
        }),
        departments: await site.post('/api/v3/company/departments', name),
        locations: await site.post('/api/v3/locations', name),
        customFields: await site.post('/api/v3/custom-fields', name),
        mapping: await site.post(MAPPING, await site.client.get(MAPPING)),
        credential,
        rotate: await site.post(`${CREDENTIALS}/${credential.body.id}/rotate`),
      };
      const others = Object.entries(answers).filter(([, { status }]) => status !== 200);
      expect(others.map(([what, { status }]) => `${what} ${status}`)).toEqual([]);
    },
  },
  ...REFUSALS.map(
    ([status, what, ask]): Row => ({
      rule: 'R-HTTP-1',
      says: `error bodies are {statusCode, error, message}, \`message\` one string, no stack trace: ${status}, ${what}`,
      holds: async (site) => {
        const { status: given, body } = await ask(site);
        expect(given).toBe(status);
        expect(body).toMatchObject({
          statusCode: status,
          error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
          message: expect.stringMatching(/\S/),
        });
        expect(JSON.stringify(body)).not.toMatch(STACK);
      },
    }),
  ),
  {
    rule: 'R-HTTP-1',
    says: 'never a stack trace, nor the message of an internal error',
    holds: () =>
      Site.during(
        {
          folds: false,
          wrapLog: appendingFails(new TypeError('a secret detail')),
        },
        async (site) => {
          const { status, body } = await site.client.signal(signal('any'));
          expect([status, body]).toEqual([
            500,
            { statusCode: 500, error: 'Internal Server Error', message: expect.any(String) },
          ]);
          expect(JSON.stringify(body)).not.toMatch(/secret detail|TypeError/);
          expect(JSON.stringify(body)).not.toMatch(STACK);
        },
      ),
  },
];
