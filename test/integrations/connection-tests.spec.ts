import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Simulators,
  startSimulators,
} from '../../apps/simulators/src/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { freePort } from '../support/free-port.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';

let gateway: StartedGateway;
let simulators: Simulators;
let client: ApiClient;

beforeAll(async () => {
  simulators = await startSimulators({ hosts: 3, alerts: 5, devices: 2, seed: 7 });
  gateway = await StartedGateway.start({ folds: true });
  client = await gateway.client('admin');
  await allow(['127.0.0.1']);
});
afterEach(() => simulators.control.clearFaults());
afterAll(async () => {
  await gateway.stop();
  await simulators.close();
});

const send = (method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? undefined : JSON.stringify(body));
const allow = (egressAllow: string[]) => send('PATCH', '/api/v3/settings', { egressAllow });

const edr = ({ id, secret }: { id: string; secret: string }, url = simulators.url) => ({
  type: 'edrplugin',
  subType: 'falcon',
  config: { url, clientId: id, clientSecret: secret },
});
const inventory = ({ key, secret }: { key: string; secret: string }, url = simulators.url) => ({
  type: 'assetinventory',
  subType: 'axonius',
  config: { url, apiKey: key, apiSecret: secret },
});

/** What Test Connection says of a definition: the checks that are ok, and the message of the first that is not. */
async function tested(definition: object): Promise<{ ok: boolean; passed: string[]; message: string }> {
  const { status, body } = await send('POST', '/integrations/test', definition);
  expect({ status, body }).toMatchObject({ status: 200 });
  const { ok, message, checks } = body as { ok: boolean; message: string; checks: Check[] };
  const failed = checks.find((check) => !check.ok);
  expect({ ok, message: failed ? message : null }).toEqual({ ok: !failed, message: failed?.message ?? null });
  return { ok, message, passed: checks.filter((check) => check.ok).map(({ name }) => name) };
}
interface Check {
  name: string;
  ok: boolean;
  message: string;
}

describe('Test Connection of a definition that is not saved', () => {
  it('checks address, credentials and both scopes of the EDR platform', async () => {
    expect(await tested(edr(FALCON_CLIENTS.full))).toEqual({
      ok: true,
      message: 'the connection works',
      passed: ['address', 'credentials', 'hosts', 'alerts'],
    });
    expect((await client.get('/integrations')).items).toEqual([]);
  });

  it.each([
    ['a wrong secret', { ...FALCON_CLIENTS.full, secret: 'wrong' }, ['address'], /./],
    ['no scope Alerts', FALCON_CLIENTS.hostsOnly, ['address', 'credentials', 'hosts'], /Alerts/],
    ['no scope Hosts', FALCON_CLIENTS.alertsOnly, ['address', 'credentials', 'alerts'], /Hosts/],
    ['no scope', FALCON_CLIENTS.withoutScopes, ['address', 'credentials'], /Hosts/],
  ])('reports %s', async (_, credentials, passed, message) => {
    expect(await tested(edr(credentials))).toEqual({
      ok: false,
      passed,
      message: expect.stringMatching(message),
    });
  });

  it('makes the documented request of the inventory (R-INV-5)', async () => {
    simulators.control.clearRequests();
    expect(await tested(inventory(AXONIUS_KEYS.full))).toMatchObject({ ok: true });
    expect(simulators.control.requestCounts).toEqual({ 'POST /api/devices': 1 });
  });

  it.each([
    ['a wrong secret', { ...AXONIUS_KEYS.full, secret: 'wrong' }],
    ['a user who may not view devices', AXONIUS_KEYS.withoutDevices],
  ])('reports %s of the inventory', async (_, credentials) => {
    expect(await tested(inventory(credentials))).toMatchObject({ ok: false });
  });

  it('reports an address that does not respond', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await tested(edr(FALCON_CLIENTS.full, url))).toMatchObject({ ok: false, passed: [] });
  });

  it.each(['cut', 'garbage'] as const)('reports a response that is %s', async (kind) => {
    simulators.control.fault({ path: '/devices', times: 'ever', act: { kind } });
    const { ok, passed } = await tested(edr(FALCON_CLIENTS.full));
    expect([ok, passed]).toEqual([false, ['address', 'credentials', 'alerts']]);
  });

  it('reaches no address that is not public, unless the setting names it, from then on (R-NET-1)', async () => {
    simulators.control.clearRequests();
    await allow([]);
    expect(await tested(edr(FALCON_CLIENTS.full))).toEqual({
      ok: false,
      passed: [],
      message: expect.stringMatching(/egressAllow/),
    });
    expect(simulators.control.requests).toEqual([]);
    await allow(['127.0.0.1']);
    expect(await tested(edr(FALCON_CLIENTS.full))).toMatchObject({ ok: true });
  });

  it('rejects a wrong definition as POST /integration does', async () => {
    const { status, body } = await send('POST', '/integrations/test', {
      ...edr(FALCON_CLIENTS.full),
      config: { url: simulators.url },
    });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/config\.clientId/)]);
  });
});

it('four tests at a time wait for platforms; the next is a 429, and may be made once one has ended', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => waiting.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = () => send('POST', '/integrations/test', inventory(AXONIUS_KEYS.full, url));
    const tests = Array.from({ length: 4 }, ask);
    await until('four requests', () => waiting.length === 4);
    expect(await ask()).toMatchObject({ status: 429, body: { retryIn: expect.any(Number) } });
    for (const response of waiting) response.writeHead(401).end('{}');
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await tested(inventory(AXONIUS_KEYS.full))).toMatchObject({ ok: true });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('Test Connection of a saved integration', () => {
  it('uses the saved or the given configuration', async () => {
    const { body: added } = await send('POST', '/integration', edr(FALCON_CLIENTS.full));
    const path = `/integrations/${added.id}`;
    expect((await send('POST', `${path}/test`)).body).toMatchObject({ ok: true });
    const wrong = await send('POST', `${path}/test`, { config: { clientSecret: 'wrong' } });
    expect(wrong.body).toMatchObject({ ok: false });
    const { id, secret } = FALCON_CLIENTS.hostsOnly;
    const other = await send('POST', `${path}/test`, { config: { clientId: id, clientSecret: secret } });
    expect(other.body).toMatchObject({ ok: false, message: expect.stringMatching(/Alerts/) });
    expect(await client.get(path)).toEqual(added);
    expect((await send('POST', `${path}/test`)).body).toMatchObject({ ok: true });
  });

  it('never sends a stored secret to another address', async () => {
    const elsewhere = await startSimulators({ hosts: 1, alerts: 0, devices: 0 });
    try {
      const { items } = await client.get('/integrations');
      const path = `/integrations/${items[0].id}`;
      for (const body of [{ config: { url: elsewhere.url } }, { config: { clientId: 'x' } }]) {
        const { status, body: refused } = await send('POST', `${path}/test`, body);
        expect([status, refused.message]).toEqual([
          400,
          expect.stringMatching(/clientSecret is required if/),
        ]);
      }
      expect(elsewhere.control.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('shows no secret in responses, logs and tables', async () => {
    const secret = 'wrong-secret-never-to-be-seen';
    const answer = await send('POST', '/integrations/test', edr({ ...FALCON_CLIENTS.full, secret }));
    expect(answer.body.ok).toBe(false);
    expect(JSON.stringify(answer.body) + gateway.lines.join()).not.toContain(secret);
  });
});
