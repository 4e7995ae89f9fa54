import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SimulatorClient } from '../../../../test/simulators/simulator-client.ts';
import { FALCON_CLIENTS, type Simulators, startSimulators } from '../index.ts';

const SCROLL = '/devices/queries/devices-scroll/v1';
const HOSTS = '/devices/queries/devices/v1';
const HOSTS_COMBINED = '/devices/combined/devices/v1';
const HOST_ENTITIES = '/devices/entities/devices/v2';
const ALERTS = '/alerts/queries/alerts/v2';
const ALERTS_COMBINED = '/alerts/combined/alerts/v1';
const ALERT_ENTITIES = '/alerts/entities/alerts/v2';
const MINUTE_MS = 60_000;

let simulators: Simulators;
let client: SimulatorClient;

async function start(options: Parameters<typeof startSimulators>[0] = {}): Promise<void> {
  await simulators?.close();
  simulators = await startSimulators({ hosts: 250, alerts: 120, devices: 0, ...options });
  client = await SimulatorClient.of(simulators);
}
beforeEach(() => start());
afterEach(() => simulators.close());

describe('tokens', () => {
  it('are given for half an hour, without a region', async () => {
    const { status, headers, body } = await client.signIn();
    expect(status).toBe(201);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 1_799 });
    expect(headers.has('X-Cs-Region')).toBe(false);
    expect(headers.get('X-Cs-Traceid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('X-Ratelimit-Limit')).toBe('300');
    simulators.control.advance(1_798_000);
    expect((await client.get(HOSTS)).status).toBe(200);
    simulators.control.advance(1_500);
    expect(await client.get(HOSTS)).toMatchObject({
      status: 401,
      body: { resources: [], errors: [{ code: 401, message: 'access denied, invalid bearer token' }] },
    });
  });

  it('are given for HTTP Basic too, and can be revoked', async () => {
    const { id, secret } = FALCON_CLIENTS.full;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const { status, body } = await client.send('/oauth2/token', {
      method: 'POST',
      headers: { authorization },
    });
    expect(status).toBe(201);
    const hosts = () =>
      client
        .send(HOSTS, { headers: { authorization: `Bearer ${body.access_token}` } })
        .then((told) => told.status);
    expect(await hosts()).toBe(200);
    const form = new URLSearchParams({ token: body.access_token });
    await client.send('/oauth2/revoke', { method: 'POST', headers: { authorization }, body: form });
    expect(await hosts()).toBe(401);
  });

  it.each([
    ['a malformed id', 'nobody', '', 400],
    ['an unknown id', 'f'.repeat(32), FALCON_CLIENTS.full.secret, 403],
    ['a wrong secret', FALCON_CLIENTS.full.id, 'wrong', 403],
  ])('are not given for %s, which is not repeated', async (_, id, secret, status) => {
    const told = await client.signIn({ id, secret });
    expect(told.status).toBe(status);
    expect(JSON.stringify(told.body)).not.toContain(id);
    expect(told.body.access_token).toBeUndefined();
  });

  it('lose a scope when their client does', async () => {
    const { control } = simulators;
    control.setScopes(FALCON_CLIENTS.full.id, ['hosts:read']);
    expect((await client.get(HOSTS)).status).toBe(200);
    expect((await client.get(ALERTS)).body.errors).toEqual([
      { code: 403, message: 'access denied, authorization failed' },
    ]);
  });
});

describe('rates', () => {
  it('are stated in each response, and exceeded they give a 429 until the next minute', async () => {
    await start({ requestsPerMinute: 3 });
    startMinute();
    const remaining = [];
    for (let i = 0; i < 3; i += 1) {
      const { status, headers } = await client.get(HOSTS);
      remaining.push([status, headers.get('X-Ratelimit-Limit'), headers.get('X-Ratelimit-Remaining')]);
    }
    expect(remaining).toEqual([2, 1, 0].map((left) => [200, '3', `${left}`]));
    const { status, headers, body } = await client.get(HOSTS);
    expect([status, body.errors[0].code]).toEqual([429, 429]);
    const retryAtMs = Number(headers.get('X-RateLimit-RetryAfter')) * 1_000;
    expect(retryAtMs % MINUTE_MS).toBe(0);
    simulators.control.advance(retryAtMs - simulators.control.now());
    expect((await client.get(HOSTS)).status).toBe(200);
  });

  it('are lower with a bad bearer, and of the token route', async () => {
    startMinute();
    const bad = () =>
      client.send(HOSTS, { headers: { authorization: 'Bearer x' } }).then(({ status }) => status);
    const statuses = new Set<number>();
    for (let i = 0; i < 15; i += 1) statuses.add(await bad());
    expect([...statuses]).toEqual([401]);
    expect(await bad()).toBe(429);
    expect((await client.get(HOSTS)).status).toBe(200);
    for (let i = 0; i < 300; i += 1) expect((await client.signIn()).status).toBe(201);
    const { status, headers } = await client.signIn();
    expect([status, headers.get('X-Ratelimit-Remaining')]).toEqual([429, '0']);
  });
});

describe('answers', () => {
  const ENVELOPE = { meta: { pagination: {} }, resources: [] };

  it('have both lists also without a page, for a body that is no JSON, and for an unknown path', async () => {
    expect((await client.post(HOST_ENTITIES, { ids: [] })).body).toMatchObject({
      ...ENVELOPE,
      errors: expect.anything(),
    });
    const noJson = await client.send(HOST_ENTITIES, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect([noJson.status, noJson.body]).toMatchObject([400, { ...ENVELOPE, errors: [{ code: 400 }] }]);
    const unknown = await client.send('/nothing/v1', {});
    expect([unknown.status, unknown.body]).toMatchObject([404, { ...ENVELOPE, errors: [{ code: 404 }] }]);
  });
});

describe('hosts', () => {
  it('are scrolled through: the last ids carry a token, which leads to nothing', async () => {
    const first = await client.get(SCROLL, { limit: 200 });
    const { offset, total, expires_at } = first.body.meta.pagination;
    expect(total).toBe(250);
    expect(Math.abs(expires_at / 1e6 - simulators.control.now() - 2 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
    const second = await client.get(SCROLL, { limit: 200, offset });
    expect(second.body.resources).toHaveLength(50);
    const last = second.body.meta.pagination.offset;
    expect(last).not.toBe('');
    expect((await client.get(SCROLL, { limit: 200, offset: last })).body).toMatchObject({
      resources: [],
      meta: { pagination: { total: 0, offset: '' } },
    });
    expect(new Set([...first.body.resources, ...second.body.resources]).size).toBe(250);
  });

  it('are scrolled through as a snapshot, without records that were added since', async () => {
    const { offset } = (await client.get(SCROLL, { limit: 200 })).body.meta.pagination;
    simulators.control.hosts.add();
    expect((await client.get(SCROLL, { limit: 200, offset })).body.resources).toHaveLength(50);
  });

  it('cannot be scrolled through after two minutes', async () => {
    const { offset } = (await client.get(SCROLL)).body.meta.pagination;
    simulators.control.advance(2 * MINUTE_MS - 5_000);
    expect((await client.get(SCROLL, { offset })).status).toBe(200);
    simulators.control.advance(10_000);
    expect((await client.get(SCROLL, { offset })).status).toBe(400);
  });

  it('come combined in pages that hold while hosts change', async () => {
    const ask = (offset: string) =>
      client.get(HOSTS_COMBINED, { limit: 100, sort: 'modified_timestamp|asc', offset });
    const first = (await ask('')).body;
    // The next in order moves to the end, and a listed one is deleted.
    const [moved] = [...simulators.control.hosts].toSorted(byModified).slice(100);
    simulators.control.hosts.change(numberOf(moved?.device_id), { status: 'contained' });
    simulators.control.hosts.remove(numberOf(first.resources[0].device_id));
    const second = (await ask(first.meta.pagination.next)).body;
    const third = (await ask(second.meta.pagination.next)).body;
    expect(third.meta.pagination.next).toBe('');
    const ids = [first, second, third].flatMap(({ resources }) => resources.map(idOfHost));
    expect(ids).toHaveLength(250);
    expect(new Set(ids).size).toBe(250);
    expect(ids.at(-1)).toBe(moved?.device_id);
  });

  it('contain the requested fields', async () => {
    const { body } = await client.get(HOSTS_COMBINED, { limit: 1, fields: 'hostname,tags' });
    expect(Object.keys(body.resources[0]).sort()).toEqual(['cid', 'device_id', 'hostname', 'tags']);
  });

  it('are found by tag, time, status and id', async () => {
    const all = [...simulators.control.hosts];
    const [some] = all;
    const day = new Date(simulators.control.now() - 24 * 60 * MINUTE_MS).toISOString();
    const expected = {
      "tags:'SensorGroupingTags/Staging'": all.filter(({ tags }) =>
        tags.includes('SensorGroupingTags/Staging'),
      ),
      [`modified_timestamp:>='${day}'+platform_name:!'Windows'`]: all.filter(
        (host) =>
          Date.parse(`${host.modified_timestamp}`) >= Date.parse(day) && host.platform_name !== 'Windows',
      ),
      "status:['contained','containment_pending']": all.filter(({ status }) => status !== 'normal'),
      [`device_id:'${some?.device_id}'`]: [some],
    };
    for (const [filter, hosts] of Object.entries(expected)) {
      expect(hosts).not.toEqual([]);
      const { body } = await client.get(HOSTS, { filter, limit: 5_000 });
      expect(body.resources).toEqual(hosts.map((host) => host?.device_id));
      expect(body.meta.pagination).toEqual({ total: hosts.length, offset: 0, limit: 5_000 });
    }
  });

  it.each([
    ['a filter that is none', HOSTS, { filter: "tags='x'" }, 400],
    ['a filter by an unknown field', HOSTS, { filter: "tag:'x'" }, 400],
    ['an unknown order', HOSTS, { sort: 'nothing|asc' }, 400],
    ['more than 5,000', HOSTS, { limit: 5_001 }, 400],
    ['what lies beyond the first 10,000', HOSTS, { limit: 5_000, offset: 5_001 }, 400],
    ['more than 10,000 of a scroll', SCROLL, { limit: 10_001 }, 400],
    ['an unknown token of a scroll', SCROLL, { offset: 'x' }, 400],
    ['an unknown token of a page', HOSTS_COMBINED, { offset: 'x' }, 400],
    ['a malformed id', HOST_ENTITIES, { ids: 'x' }, 400],
  ])('are rejected for %s', async (_, path, parameters, status) => {
    const told = await client.get(path, parameters as Record<string, string>);
    expect(told.status).toBe(status);
    expect(told.body).toMatchObject({
      resources: [],
      errors: [{ code: status, message: expect.any(String) }],
    });
  });

  it('are returned for at most 100 ids in a query and 5,000 in a body; unknown ids are omitted', async () => {
    const all = Array.from(simulators.control.hosts, idOfHost);
    const ids = all.slice(0, 100);
    expect((await client.get(HOST_ENTITIES, { ids })).body.resources.map(idOfHost)).toEqual(ids);
    expect((await client.get(HOST_ENTITIES, { ids: all.slice(0, 101) })).status).toBe(413);
    const post = await client.post(HOST_ENTITIES, { ids: ['0'.repeat(32), ...ids] });
    expect(post.body.resources.map(idOfHost)).toEqual(ids);
    const tooMany = Array.from({ length: 5_001 }, () => ids[0]);
    expect((await client.post(HOST_ENTITIES, { ids: tooMany })).status).toBe(413);
    expect((await client.post(HOST_ENTITIES, { ids: tooMany.slice(1) })).status).toBe(200);
  });
});

describe('alerts', () => {
  it('are paged by a token, which the last page lacks', async () => {
    const ask = (body: object) =>
      client.post(ALERTS_COMBINED, { limit: 100, sort: 'updated_timestamp|asc', ...body });
    const first = (await ask({})).body;
    expect(first.meta.pagination).toEqual({ total: 120, limit: 100, after: expect.any(String) });
    const second = (await ask({ after: first.meta.pagination.after })).body;
    expect(second.meta.pagination).toEqual({ total: 120, limit: 100 });
    const updated = [first, second].flatMap(({ resources }) =>
      resources.map((alert: { updated_timestamp: string }) => alert.updated_timestamp),
    );
    expect(updated).toHaveLength(120);
    expect(updated).toEqual(updated.toSorted());
  });

  it('are found since an instant, and a changed or new one among them', async () => {
    const { control } = simulators;
    const filter = `updated_timestamp:>='${new Date(control.now()).toISOString()}'`;
    expect((await client.get(ALERTS, { filter })).body.resources).toEqual([]);
    control.advance(1_000);
    control.alerts.change(5, { status: 'closed', tags: ['false_positive'] });
    const added = control.addAlert(3, { severity: 99 });
    const { body } = await client.post(ALERTS_COMBINED, { filter });
    expect(body.resources).toEqual([control.alerts.at(5), control.alerts.at(added)]);
    expect(body.resources[0]).toMatchObject({ status: 'closed', tags: ['false_positive'] });
    expect(body.resources[1]).toMatchObject({ agent_id: control.hosts.at(3)?.device_id, severity: 99 });
  });

  it('are found by their device and technique', async () => {
    const [some] = simulators.control.alerts;
    const filter = `device.device_id:'${some?.agent_id}'+mitre_attack.technique_id:'*'`;
    const { body } = await client.get(ALERTS, { filter });
    const expected = [...simulators.control.alerts].filter(
      ({ agent_id, technique_id }) => agent_id === some?.agent_id && technique_id !== undefined,
    );
    expect(body.resources).toEqual(expected.map(({ composite_id }) => composite_id));
  });

  it('come by at most 1,000 ids', async () => {
    const ids = Array.from(simulators.control.alerts, ({ composite_id }) => composite_id);
    const { body } = await client.post(ALERT_ENTITIES, { composite_ids: [...ids, 'x:y:z'] });
    expect(body.resources.map((alert: { composite_id: string }) => alert.composite_id)).toEqual(ids);
    const tooMany = Array.from({ length: 1_001 }, () => ids[0]);
    expect((await client.post(ALERT_ENTITIES, { composite_ids: tooMany })).status).toBe(413);
    expect((await client.post(ALERT_ENTITIES, { composite_ids: [] })).status).toBe(400);
    expect((await client.post(ALERTS_COMBINED, { limit: 1_001 })).status).toBe(400);
  });

  it('were detections before: a closed one has its verdict as status', async () => {
    const { body } = await client.get('/detects/queries/detects/v1', { filter: "status:'true_positive'" });
    const expected = [...simulators.control.alerts].filter(
      ({ status, tags }) => status === 'closed' && tags.includes('true_positive'),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(body.resources).toEqual(expected.map(({ id }) => `ldt:${id}`));
    const summaries = await client.post('/detects/entities/summaries/GET/v1', { ids: body.resources });
    expect(new Set(summaries.body.resources.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['true_positive']),
    );
  });
});

/** So that no minute ends while a spec counts. */
const startMinute = (): void =>
  simulators.control.advance(MINUTE_MS - (simulators.control.now() % MINUTE_MS));

const idOfHost = ({ device_id }: { device_id: string }): string => device_id;
const byModified = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
  `${a.modified_timestamp}` < `${b.modified_timestamp}` ? -1 : 1;
const numberOf = (id: string | undefined): number =>
  Array.from(simulators.control.hosts, idOfHost).indexOf(id ?? '');
