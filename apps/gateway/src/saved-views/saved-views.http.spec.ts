import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const PATH = '/api/v3/views';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const URGENT = { name: 'Urgent', list: 'findings', query: 'state=Failed&severityMin=7&sort=-severity' };

let gateway: StartedGateway;
let admin: ApiClient;
let analyst: ApiClient;
let viewer: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: { SEAL_PERSONAL_TEXTS: 'true' } });
  [admin, analyst, viewer] = await Promise.all([
    gateway.client('admin'),
    gateway.client('analyst'),
    gateway.client('viewer'),
  ]);
});
afterAll(() => gateway.stop());
afterEach(() => gateway.database.pool.query('delete from saved_views'));

const send = (client: ApiClient, method: string, path: string, body?: object) =>
  client.request(method, path, body && JSON.stringify(body));
async function ok(client: ApiClient, method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer = await send(client, method, path, body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}
const add = (client: ApiClient, given: object = {}) => ok(client, 'POST', PATH, { ...URGENT, ...given });
const change = (client: ApiClient, { id }: { id: string }, changes: object) =>
  ok(client, 'PATCH', `${PATH}/${id}`, changes);
const namesOf = async (client: ApiClient, query = '') =>
  (await client.all(`${PATH}${query}`)).map(({ name }) => name);
async function refused(
  client: ApiClient,
  method: string,
  path: string,
  body?: object,
): Promise<[number, string]> {
  const answer = await send(client, method, path, body);
  return [answer.status, answer.body.message];
}

describe('saved views (R-VIEW)', () => {
  it('belong to the caller until shared, and are sealed in the database', async () => {
    const added = await add(analyst);
    expect(added).toEqual({
      id: expect.any(String),
      ...URGENT,
      shared: false,
      default: false,
      owner: 'analyst',
      own: true,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: added.createdAt,
    });
    expect(await ok(analyst, 'GET', `${PATH}/${added.id}`)).toEqual(added);
    expect(await analyst.get(PATH)).toEqual({ items: [added], nextCursor: null });
    expect(await namesOf(admin)).toEqual([]);
    const path = `${PATH}/${added.id}`;
    for (const [method, body] of [['GET'], ['PATCH', { default: true }], ['DELETE']] as const) {
      expect(await refused(admin, method, path, body)).toEqual([404, `no view has the id ${added.id}`]);
    }
    const { rows } = await gateway.database.pool.query('select * from saved_views');
    expect(JSON.stringify(rows)).not.toMatch(/Urgent|severityMin|analyst/);

    const shared = await change(analyst, added, { shared: true });
    expect(shared).toMatchObject({ shared: true, version: 2 });
    expect(await ok(viewer, 'GET', path)).toEqual({ ...shared, own: false });
    await change(analyst, added, { shared: false });
    expect(await namesOf(viewer)).toEqual([]);
  });

  it('are changed by their owner only, and removed by admins too', async () => {
    const added = await add(analyst, { shared: true });
    const path = `${PATH}/${added.id}`;
    expect(await refused(admin, 'PATCH', path, { name: 'Mine' })).toEqual([
      403,
      'only its owner may change a view',
    ]);
    expect((await refused(viewer, 'DELETE', path))[0]).toBe(403);
    expect(await change(analyst, added, { name: ' Soon ', query: '?cve=cve-2021-44228' })).toMatchObject({
      name: 'Soon',
      query: 'cve=cve-2021-44228',
      version: 2,
    });
    expect((await refused(analyst, 'PATCH', path, { version: 1, name: 'Late' }))[0]).toBe(409);
    expect(await ok(admin, 'DELETE', path)).toMatchObject({ id: added.id, own: false });
    expect((await refused(analyst, 'GET', path))[0]).toBe(404);
  });

  it('are shared by those who may change what others see', async () => {
    expect(await refused(viewer, 'POST', PATH, { ...URGENT, shared: true })).toEqual([
      403,
      'sharing a view requires the scope findings:triage',
    ]);
    expect((await refused(viewer, 'PATCH', `${PATH}/${(await add(viewer)).id}`, { shared: true }))[0]).toBe(
      403,
    );
    // A person who shared a view before losing the scope.
    const shared = await add(viewer, { name: 'Shared' });
    await gateway.database.pool.query('update saved_views set is_shared = true where id = $1', [shared.id]);
    expect((await refused(viewer, 'PATCH', `${PATH}/${shared.id}`, { query: '' }))[0]).toBe(403);
    expect(await change(viewer, shared, { shared: false, query: '' })).toMatchObject({
      shared: false,
      query: '',
    });
  });

  it('have one default for each person and list', async () => {
    const [first, second] = [await add(analyst, { default: true }), await add(analyst, { name: 'B' })];
    const assets = await add(analyst, { list: 'assets', query: 'department=Sales', default: true });
    await change(analyst, second, { default: true, shared: true });
    const defaultsOf = async (client: ApiClient) =>
      (await client.all(PATH)).filter((view) => view.default).map(({ id }) => id);
    expect(await defaultsOf(analyst)).toEqual([assets.id, second.id]);
    expect(await change(viewer, second, { default: true })).toMatchObject({ default: true, version: 2 });
    await change(analyst, second, { default: false });
    expect(await defaultsOf(analyst)).toEqual([assets.id]);
    expect(await defaultsOf(viewer)).toEqual([second.id]);
    // A default that is no longer visible ends.
    await change(analyst, second, { shared: false });
    await change(analyst, second, { shared: true });
    expect(await defaultsOf(viewer)).toEqual([]);
    expect(await namesOf(analyst, '?list=findings')).toEqual(['B', first.name]);
  });

  it.each<[string, object, string]>([
    [
      'a filter that the list rejects',
      { query: 'severityMin=11' },
      'query.severityMin must not be greater than 10',
    ],
    ['an unknown parameter', { query: 'colour=red' }, 'query.colour is unknown'],
    ['a value that is none', { query: 'type=va,hw' }, 'query.type must be one of'],
    ['a sort of another list', { query: 'sort=score' }, 'query.sort must be one of'],
    ['a query text', { query: 'q=severity:urgent' }, 'query.q, character 1: severity must be one of'],
    ['a page', { query: 'cursor=x&limit=5' }, 'query.cursor is unknown; query.limit is unknown'],
    ['a grouping that is none', { query: 'by=component' }, 'query.by must be one of cve, technique'],
    ['a grouping of assets', { list: 'assets', query: 'by=cve' }, 'query.by is unknown'],
    ['an instant', { query: 'asOf=2026-01-01T00:00:00Z' }, 'query.asOf is unknown'],
    ['a filter of assets', { list: 'assets', query: 'criticality=huge' }, 'query.criticality must be one of'],
    [
      'a custom field twice',
      { list: 'assets', query: 'customField.a=1&customField.a=2' },
      'query.customField.a must be a string and occur once',
    ],
    [
      'more characters than are stored',
      { query: `name=${'ü'.repeat(999)}` },
      'query must be of at most 4000 characters when encoded',
    ],
    ['a list that has no views', { list: 'uploads' }, 'list must be one of findings, assets'],
    ['a blank name', { name: '  ' }, 'name must not be empty'],
    ['a field that is none', { owner: 'ana' }, 'owner is unknown'],
  ])('reject %s', async (_, given, message) => {
    expect(await refused(analyst, 'POST', PATH, { ...URGENT, ...given })).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  it('accept what the list of assets takes, and groups of findings', async () => {
    const grouped = 'state=Failed&by=title';
    expect(await add(analyst, { query: grouped })).toMatchObject({ query: grouped });
    const query = 'customField.owner=Ana+B&q=web01';
    expect(await add(analyst, { list: 'assets', query })).toMatchObject({ query });
  });

  it('have names of their own, and are 50 at most', async () => {
    const { id } = await add(analyst);
    await add(analyst, { list: 'assets', query: '' });
    await add(admin);
    expect(await refused(analyst, 'POST', PATH, URGENT)).toEqual([
      409,
      'the name Urgent is already in use for a view of this list: choose another name',
    ]);
    const other = await add(analyst, { name: 'Other' });
    expect((await refused(analyst, 'PATCH', `${PATH}/${other.id}`, { name: 'Urgent' }))[0]).toBe(409);
    await change(analyst, { id }, { name: 'Urgent' });
    await gateway.database.pool.query(
      `insert into saved_views (id, owner_id, owner, list, name, query, is_shared, created_at, updated_at)
       select gen_random_uuid(), owner_id, owner, 'findings', 'view ' || n, '', false,
              date_trunc('milliseconds', now()), now()
         from saved_views, generate_series(1, 47) n where id = $1`,
      [id],
    );
    expect(await refused(analyst, 'POST', PATH, { ...URGENT, name: 'One more' })).toEqual([
      409,
      'the limit of 50 views is reached: remove a view first',
    ]);
    const page = await analyst.get(`${PATH}?limit=30`);
    const rest = await analyst.get(`${PATH}?limit=30&cursor=${page.nextCursor}`);
    expect(new Set([...page.items, ...rest.items].map((view) => view.id)).size).toBe(50);
    expect(rest.nextCursor).toBeNull();
  });

  it('concern only lists that the caller may read', async () => {
    await add(admin, { shared: true });
    await add(admin, { list: 'assets', query: '', shared: true });
    const { body } = await send(admin, 'POST', '/api/v3/tokens', { name: 'reader', scopes: ['assets:read'] });
    const ask = (method: string, given?: object) =>
      fetch(`${gateway.url}${PATH}`, {
        method,
        headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' },
        ...(given && { body: JSON.stringify(given) }),
      });
    const seen = (await (await ask('GET')).json()) as { items: { list: string }[] };
    expect(seen.items.map(({ list }) => list)).toEqual(['assets']);
    expect((await ask('POST', URGENT)).status).toBe(403);
    expect((await ask('POST', { ...URGENT, list: 'assets', query: '' })).status).toBe(200);
  });

  it('are removed with their owner', async () => {
    const credential = await ok(admin, 'POST', '/api/v3/credentials', { username: 'eve', role: 'analyst' });
    const eve = await ApiClient.signIn(gateway.url, credential);
    const kept = await add(admin, { name: 'Kept', shared: true });
    await add(eve, { shared: true });
    await change(eve, kept, { default: true });
    await ok(admin, 'DELETE', `/api/v3/credentials/${credential.id}`);
    expect(await namesOf(admin)).toEqual(['Kept']);
    const { rows } = await gateway.database.pool.query('select from default_views');
    expect(rows).toEqual([]);
  });

  it('know no view that there is none of', async () => {
    expect((await refused(admin, 'GET', `${PATH}/${NOBODY}`))[0]).toBe(404);
    expect(await refused(admin, 'PATCH', `${PATH}/${NOBODY}`, {})).toEqual([
      400,
      'the body must contain name, query, shared or default',
    ]);
  });
});
