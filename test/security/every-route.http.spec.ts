import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { SCOPES, type Scope } from '../../apps/gateway/src/auth/scopes.ts';
import { StartedGateway } from '../support/started-gateway.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const CHANGING = /^(post|put|patch|delete) /;

/** Public routes: they expose no data of the site, or are the sign-in itself. */
const PUBLIC = [
  // Unless METRICS_TOKEN is set (docs/observing.md).
  'get /metrics',
  'get /api/v3/sign-in',
  'get /api/v3/sign-in/{provider}/logout',
  'get /health/live',
  'get /health/ready',
  'get /schemas/ids/{id}',
  'get /schemas/signal.schema.json',
  'get /subjects',
  'get /subjects/{subject}/versions',
  'get /subjects/{subject}/versions/{version}',
];
/** Sign-in itself. */
const SIGN_IN = [
  'post /api/v3/auth',
  'post /api/v3/sessions',
  'post /api/v3/sign-in/{provider}',
  'post /api/v3/sign-in/{provider}/finish',
  'post /api/v3/sign-in/{provider}/logout',
];
/** Concern only the caller, and require no scope. */
const OWN = [
  'get /api/v3/me',
  'get /api/v3/session',
  'post /api/v3/session/extend',
  'get /api/v3/sessions',
  'post /api/v3/sessions/end-others',
  'delete /api/v3/sessions/{id}',
  'get /api/v3/second-factor',
  'post /api/v3/second-factor',
  'post /api/v3/second-factor/confirm',
  'post /api/v3/second-factor/recovery-codes',
  'post /api/v3/second-factor/remove',
  'get /api/v3/views',
  'post /api/v3/views',
  'get /api/v3/views/{id}',
  'patch /api/v3/views/{id}',
  'delete /api/v3/views/{id}',
  'get /api/v3/notifications',
  'get /api/v3/notifications/unread',
  'patch /api/v3/notifications/{id}',
  'post /api/v3/notifications/read',
  'get /api/v3/notifications/preferences',
  'patch /api/v3/notifications/preferences',
  'post /api/v3/notifications/test',
];
/** The act in the body decides which scope it requires. */
const BY_ACT = ['post /api/v3/findings/acts'];
/** Use POST only because of their bodies. */
const ASKING = ['post /api/v3/scores/what-if'];

/** Routes that the document does not describe (R-HTTP-8): pages, and what describes itself or is of another product. */
const UNDESCRIBED = [
  /^get \/(app|docs|docs-json|docs-yaml)?(\/|$)/,
  /^\w+ \/scim\/v2\/\{provider\}\//,
  /^(get|post) \/api\/v2\/(product_types|products|engagements|tests)$/,
  /^get \/api\/v2\/test_types$/,
  /^patch \/api\/v2\/engagements\/\{id\}$/,
  /^\w+ \/api\/v2\/\*$/,
];

let gateway: StartedGateway;
/** As the server knows them, such as `get /api/v3/assets/{id}`. */
const registered = new Set<string>();
let routes: string[];
/** The scopes of each route, as the document states them. */
let scopes: Record<string, string | undefined>;
let viewer: string;

const watchRoutes = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    for (const one of [method].flat()) registered.add(`${one.toLowerCase()} ${path}`);
  });
};

beforeAll(async () => {
  subscribe('fastify.initialization', watchRoutes);
  gateway = await StartedGateway.start();
  unsubscribe('fastify.initialization', watchRoutes);
  const { paths } = (await (await fetch(`${gateway.url}/docs-json`)).json()) as {
    paths: Record<string, Record<string, { 'x-scope'?: string }>>;
  };
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => METHODS.includes(method))
      .map((method) => `${method} ${path}`),
  );
  scopes = Object.fromEntries(
    routes.map((route) => {
      const [method, path] = route.split(' ');
      return [route, paths[path!]![method!]!['x-scope']];
    }),
  );
  const authorization = `Basic ${Buffer.from(gateway.credentialsOf('viewer')).toString('base64')}`;
  const answer = await fetch(`${gateway.url}/api/v3/auth`, { method: 'POST', headers: { authorization } });
  viewer = ((await answer.json()) as { accessToken: string }).accessToken;
});
afterAll(() => gateway.stop());

/** Status of each route, asked with an id for each parameter and an empty body. */
async function answersOf(
  asked: string[],
  headers: Record<string, string>,
  query = '',
): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  for (const route of asked) {
    const [method, path] = route.split(' ');
    const giveUp = new AbortController();
    const response = await fetch(`${gateway.url}${path!.replaceAll(/\{\w+\}/g, ID)}${query}`, {
      method: method!.toUpperCase(),
      headers: { ...headers, 'content-type': 'application/json' },
      ...(CHANGING.test(route) && { body: '{}' }),
      signal: giveUp.signal,
    });
    answers[route] = response.status;
    giveUp.abort();
  }
  return answers;
}

const all = (asked: string[], status: number) => Object.fromEntries(asked.map((route) => [route, status]));

it('the OpenAPI document has every route of the server (R-HTTP-8)', () => {
  const described = [...registered].filter(
    (route) =>
      METHODS.some((method) => route.startsWith(`${method} `)) && !UNDESCRIBED.some((one) => one.test(route)),
  );
  expect(described.sort()).toEqual(routes.toSorted());
});

describe('every route of the OpenAPI document', () => {
  it('requires a token, except routes that expose no data', async () => {
    expect(routes.length).toBeGreaterThan(40);
    const isChecked = ['post /api/v3/auth', 'post /api/v3/sessions'];
    const open = [...PUBLIC, ...SIGN_IN].filter((route) => !isChecked.includes(route));
    const closed = routes.filter((route) => !open.includes(route));
    expect(await answersOf(closed, {})).toEqual(all(closed, 401));
    expect(await answersOf(closed, { authorization: 'Bearer a.b.c' })).toEqual(all(closed, 401));
  });

  it('states the scope that it requires', () => {
    const without = routes.filter((route) => scopes[route] === undefined);
    expect(without.sort()).toEqual([...PUBLIC, ...SIGN_IN, ...OWN, ...BY_ACT].sort());
    const stated = new Set(Object.values(scopes).flatMap((scope) => scope?.split(' ') ?? []));
    expect([...stated].sort()).toEqual([...SCOPES].sort());
  });

  it('changes nothing with a scope to read', () => {
    const changing = routes.filter((route) => CHANGING.test(route) && !ASKING.includes(route));
    for (const route of changing) expect(`${route} ${scopes[route]}`).not.toMatch(/:read$/);
    const reading = routes.filter((route) => !CHANGING.test(route));
    for (const route of reading) expect(`${route} ${scopes[route]}`).toMatch(/:read$|undefined$/);
  });

  it('changes nothing for a viewer', async () => {
    const changing = routes.filter(
      (route) => CHANGING.test(route) && ![...ASKING, ...SIGN_IN, ...OWN, ...BY_ACT].includes(route),
    );
    expect(await answersOf(changing, { authorization: `Bearer ${viewer}` })).toEqual(all(changing, 403));
  });

  it('rejects an unknown query parameter (R-HTTP-5)', async () => {
    const { authorization } = await gateway.client('admin');
    const asked = routes.filter((route) => /^\w+ \/(api\/v3|integration|settings)/.test(route));
    expect(asked.length).toBeGreaterThan(80);
    expect(await answersOf(asked, { authorization }, '?unknown=1')).toEqual(all(asked, 400));
  });

  it('is open to its scopes alone, and closed to all others together', async () => {
    const admin = await gateway.client('admin');
    const bearerOf = async (name: string, given: readonly Scope[]) => {
      const { body } = await admin.request('POST', '/api/v3/tokens', JSON.stringify({ name, scopes: given }));
      return { authorization: `Bearer ${body.token}` };
    };
    for (const scope of SCOPES) {
      const name = scope.replace(':', '-');
      const own = routes.filter((route) => scopes[route]?.split(' ').includes(scope));
      const others = SCOPES.filter((other) => other !== scope);
      expect(await answersOf(own, await bearerOf(`not-${name}`, others))).toEqual(all(own, 403));
    }
    for (const required of new Set(Object.values(scopes).filter((scope) => scope !== undefined))) {
      const own = routes.filter((route) => scopes[route] === required);
      const bearer = await bearerOf(required.replaceAll(/\W/g, '-'), required.split(' ') as Scope[]);
      const answers = Object.entries(await answersOf(own, bearer));
      expect(answers.filter(([, status]) => status === 401 || status === 403)).toEqual([]);
    }
  });
});
