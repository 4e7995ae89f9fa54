import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SimulatorClient } from '../../../../test/simulators/simulator-client.ts';
import { FALCON_CLIENTS, type Simulators, startSimulators } from '../index.ts';

const HOSTS = '/devices/queries/devices/v1';

let simulators: Simulators;
let client: SimulatorClient;
beforeAll(async () => {
  simulators = await startSimulators({ hosts: 5, alerts: 5, devices: 5 });
  client = await SimulatorClient.of(simulators);
});
afterAll(() => simulators.close());

describe('the control over HTTP', () => {
  it('lists the seeded records', async () => {
    const { body } = await client.control('GET', '/state');
    expect(body).toEqual({
      now: expect.any(String),
      hosts: 5,
      alerts: 5,
      devices: 5,
      assets: 200,
      vulnerabilities: 800,
    });
  });

  it('advances time, and never back', async () => {
    const { now } = (await client.control('GET', '/state')).body;
    expect((await client.control('POST', '/time', { advanceMs: 60_000 })).status).toBe(204);
    const later = (await client.control('GET', '/state')).body.now;
    expect(Date.parse(later) - Date.parse(now)).toBeGreaterThanOrEqual(60_000);
    expect((await client.control('POST', '/time', { advanceMs: -1 })).status).toBe(400);
  });

  it.each(['hosts', 'alerts', 'devices'] as const)('adds, changes and removes %s', async (kind) => {
    const added = await client.control('POST', `/${kind}`, { status: 'x' });
    expect(added).toMatchObject({ status: 201, body: { number: 5, record: { status: 'x' } } });
    const changed = await client.control('PATCH', `/${kind}/5`, { status: 'y' });
    expect(changed.body).toEqual(simulators.control[kind].at(5));
    expect(changed.body.status).toBe('y');
    expect((await client.control('DELETE', `/${kind}/5`)).status).toBe(204);
    expect((await client.control('GET', `/${kind}/5`)).status).toBe(404);
    expect((await client.control('PATCH', `/${kind}/5`, {})).status).toBe(400);
    expect((await client.control('GET', `/${kind}/4`)).body).toEqual(simulators.control[kind].at(4));
  });

  it('adds an alert to a host', async () => {
    const { body } = await client.control('POST', '/alerts', { host: 2, severity: 7 });
    const { device_id } = (await client.control('GET', '/hosts/2')).body;
    expect(body.record).toMatchObject({ agent_id: device_id, device: { device_id }, severity: 7 });
    expect((await client.control('POST', '/alerts', { host: 99 })).status).toBe(400);
  });

  it('sets faults, lists and clears them', async () => {
    const fault = { method: 'GET', path: HOSTS, nth: 2, times: 'ever', act: { kind: 'status', status: 503 } };
    expect((await client.control('POST', '/faults', fault)).status).toBe(204);
    expect((await client.control('GET', '/faults')).body).toEqual([fault]);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await client.get(HOSTS)).status);
    expect(statuses).toEqual([200, 503, 503]);
    expect((await client.control('DELETE', '/faults')).status).toBe(204);
    expect((await client.get(HOSTS)).status).toBe(200);
  });

  it.each([
    ['no path', { act: { kind: 'cut' } }],
    ['an unknown kind', { path: '/', act: { kind: 'x' } }],
    ['nothing to do', { path: '/' }],
    ['a zeroth request', { path: '/', nth: 0, act: { kind: 'cut' } }],
    ['a slow answer without a delay', { path: '/', act: { kind: 'slow' } }],
    ['a delay of hours', { path: '/', act: { kind: 'slow', delayMs: 1e9 } }],
    ['no unit', { path: '/', act: { kind: 'rateLimited', retryAfterMs: 1 } }],
  ])('takes no fault with %s', async (_, fault) => {
    expect((await client.control('POST', '/faults', fault)).status).toBe(400);
    expect(simulators.control.waitingFaults).toEqual([]);
  });

  it('lists the requests and their counts, without credentials', async () => {
    await client.control('DELETE', '/requests');
    await client.signIn();
    await client.get(HOSTS, { limit: 2 });
    await client.post('/devices/entities/devices/v2', { ids: [simulators.control.hosts.at(0)?.device_id] });
    const { body } = await client.control('GET', '/requests');
    expect(body.counts).toEqual({
      'POST /oauth2/token': 1,
      [`GET ${HOSTS}`]: 1,
      'POST /devices/entities/devices/v2': 1,
    });
    expect(body.requests).toMatchObject([
      { method: 'POST', path: '/oauth2/token', asked: {}, status: 201, fault: null },
      { method: 'GET', path: HOSTS, asked: { limit: '2' }, status: 200 },
      { method: 'POST', asked: { ids: '1 items' }, status: 200 },
    ]);
    expect(JSON.stringify(body)).not.toContain(FALCON_CLIENTS.full.secret);
  });

  it('takes scopes from a client', async () => {
    const { id } = FALCON_CLIENTS.full;
    expect((await client.control('PUT', `/clients/${id}/scopes`, { scopes: ['alerts:read'] })).status).toBe(
      204,
    );
    expect((await client.get(HOSTS)).status).toBe(403);
    expect((await client.control('PUT', `/clients/${id}/scopes`, { scopes: ['x'] })).status).toBe(400);
    expect((await client.control('PUT', '/clients/x/scopes', { scopes: [] })).status).toBe(400);
  });

  it('answers invalid JSON and unknown endpoints with an error', async () => {
    const headers = { 'content-type': 'application/json' };
    const told = await client.send('/simulator/time', { method: 'POST', headers, body: '{' });
    expect(told).toMatchObject({
      status: 400,
      body: { errors: [{ code: 400, message: 'The body is no JSON.' }] },
    });
    expect((await client.send('/nowhere', {})).status).toBe(404);
  });
});
