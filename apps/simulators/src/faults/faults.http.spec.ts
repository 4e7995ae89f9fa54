import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SimulatorClient } from '../../../../test/simulators/simulator-client.ts';
import { type FaultAct, type Simulators, startSimulators } from '../index.ts';

const ALERTS = '/alerts/combined/alerts/v1';
const HOSTS = '/devices/queries/devices/v1';
const SCROLL = '/devices/queries/devices-scroll/v1';

let simulators: Simulators;
let client: SimulatorClient;
beforeAll(async () => {
  simulators = await startSimulators({ hosts: 50, alerts: 50, devices: 50 });
});
afterAll(() => simulators.close());
beforeEach(async () => {
  simulators.control.clearFaults();
  client = await SimulatorClient.of(simulators);
  simulators.control.clearRequests();
});

const fault = (path: string, act: FaultAct) => simulators.control.fault({ path, act });
const statusOf = async () => (await client.get(HOSTS)).status;
const lastRequest = () => simulators.control.requests.at(-1);

/** All alerts by following the tokens, page by page. */
async function pagesOfAlerts(): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { body } = await client.post(ALERTS, { limit: 20, ...(after && { after }) });
    pages.push(body.resources.map(({ composite_id }: { composite_id: string }) => composite_id));
    after = body.meta.pagination.after;
  }
  return pages;
}

async function pagesOfDevices(): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  for (let offset = 0; pages.at(-1)?.length !== 0; offset += pages.at(-1)?.length ?? 0) {
    const { body } = await client.devices({
      page: { offset, limit: 20 },
      use_cursor: true,
      ...(cursor && { cursor_id: cursor }),
    });
    cursor = body.meta.cursor;
    pages.push(body.data.map(({ id }: { id: string }) => id));
  }
  return pages;
}

describe('on demand', () => {
  it('a token is taken no more, until there is another one', async () => {
    fault(HOSTS, { kind: 'expiredToken' });
    expect([await statusOf(), await statusOf()]).toEqual([401, 401]);
    await client.signIn();
    expect(await statusOf()).toBe(200);
  });

  it.each([
    ['milliseconds', 1],
    ['seconds', 1_000],
  ] as const)('the rate is exceeded, with %s to come again', async (unit, unitMs) => {
    fault(HOSTS, { kind: 'rateLimited', retryAfterMs: 5_000, unit });
    const beforeMs = simulators.control.now();
    const { status, headers } = await client.get(HOSTS);
    expect(status).toBe(429);
    const waitMs = Number(headers.get('X-RateLimit-RetryAfter')) * unitMs - beforeMs;
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThan(15_000);
    expect(await statusOf()).toBe(200);
  });

  it('the rate is exceeded, without a word when to come again', async () => {
    fault('/api/devices', { kind: 'rateLimited', retryAfterMs: 0, unit: 'none' });
    const { status, headers } = await client.devices({});
    expect([status, headers.has('X-RateLimit-RetryAfter')]).toEqual([429, false]);
  });

  it('a page is answered with 500, in the form of each platform', async () => {
    simulators.control.fault({ path: '/', times: 2, act: { kind: 'status' } });
    expect(await client.get(HOSTS)).toMatchObject({
      status: 500,
      body: { resources: [], errors: [{ code: 500 }] },
    });
    expect(await client.devices({})).toMatchObject({ status: 500, body: { errors: [{ status: '500' }] } });
    expect(await statusOf()).toBe(200);
  });

  it('a scope is missing until the fault is cleared', async () => {
    simulators.control.fault({ path: '/devices/', times: 'ever', act: { kind: 'lostScope' } });
    expect([await statusOf(), await statusOf()]).toEqual([403, 403]);
    simulators.control.clearFaults();
    expect(await statusOf()).toBe(200);
  });

  it('an answer is slow, and right', async () => {
    fault(HOSTS, { kind: 'slow', delayMs: 300 });
    const beganMs = performance.now();
    expect((await client.get(HOSTS)).body.resources).toHaveLength(50);
    expect(performance.now() - beganMs).toBeGreaterThan(290);
  });

  it('an answer is so slow that the client leaves; the simulators do not wait for it', async () => {
    fault('/', { kind: 'slow', delayMs: 600_000 });
    await expect(fetch(simulators.url, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    expect(await statusOf()).toBe(200);
  });

  it.each([undefined, 0, 10])('an answer is cut (after %s bytes)', async (bytes) => {
    fault(HOSTS, { kind: 'cut', ...(bytes !== undefined && { bytes }) });
    await expect(client.get(HOSTS)).rejects.toThrow();
    expect(lastRequest()).toMatchObject({ path: HOSTS, status: null, fault: 'cut' });
    expect(await statusOf()).toBe(200);
  });

  it('an answer is no JSON', async () => {
    fault(HOSTS, { kind: 'garbage' });
    await expect(client.get(HOSTS)).rejects.toThrow(SyntaxError);
    expect(lastRequest()).toMatchObject({ status: 200, fault: 'garbage' });
  });

  it('a page comes twice: by tokens nothing is lost, by offsets a page is', async () => {
    const [first, second, third] = await pagesOfAlerts();
    simulators.control.fault({ path: ALERTS, nth: 2, act: { kind: 'repeatedPage' } });
    expect(await pagesOfAlerts()).toEqual([first, first, second, third]);
    const devices = await pagesOfDevices();
    simulators.control.fault({ path: '/api/devices', nth: 2, act: { kind: 'repeatedPage' } });
    expect(await pagesOfDevices()).toEqual([devices[0], devices[0], devices[2], []]);
  });

  it('a page is missing: by tokens one comes less, by offsets one comes twice', async () => {
    const [first, , third] = await pagesOfAlerts();
    simulators.control.fault({ path: ALERTS, nth: 2, act: { kind: 'missingPage' } });
    expect(await pagesOfAlerts()).toEqual([first, third]);
    const devices = await pagesOfDevices();
    simulators.control.fault({ path: '/api/devices', nth: 2, act: { kind: 'missingPage' } });
    expect((await pagesOfDevices()).slice(0, 2)).toEqual([devices[0], devices[2]]);
  });

  it('a page reports an error with 200, and has half of its records', async () => {
    const [whole] = await pagesOfAlerts();
    fault(ALERTS, { kind: 'errorsIn200' });
    const { status, body } = await client.post(ALERTS, { limit: 20 });
    expect(status).toBe(200);
    expect(body.errors).toMatchObject([{ code: 500 }]);
    expect(body.resources.map((one: { composite_id: string }) => one.composite_id)).toEqual(
      whole!.slice(0, 10),
    );
    fault('/api/devices', { kind: 'errorsIn200' });
    expect((await client.devices({ page: { offset: 0, limit: 20 } })).body).toMatchObject({
      data: { length: 10 },
      errors: [{ status: '500' }],
    });
  });

  it('a page lacks half of its records without an error, or lacks the total', async () => {
    fault(ALERTS, { kind: 'partialPage' });
    const { body: partial } = await client.post(ALERTS, { limit: 20 });
    expect(partial).toMatchObject({
      resources: { length: 10 },
      errors: [],
      meta: { pagination: { total: 50 } },
    });
    simulators.control.fault({ path: '/', times: 2, act: { kind: 'noTotal' } });
    const { body } = await client.post(ALERTS, { limit: 20 });
    expect(body).toMatchObject({ resources: { length: 20 }, meta: { pagination: { limit: 20 } } });
    expect(body.meta.pagination.total).toBeUndefined();
    const { body: devices } = await client.devices({ page: { offset: 0, limit: 20 } });
    expect([devices.data.length, devices.meta.page.totalResources]).toEqual([20, undefined]);
  });

  it('the first two pages alternate, each with a next cursor', async () => {
    const [first, second] = await pagesOfAlerts();
    simulators.control.fault({ path: ALERTS, times: 5, act: { kind: 'alternatingPages' } });
    const pages = await pagesOfAlerts();
    expect(pages.slice(0, 5)).toEqual([first, second, first, second, first]);
  });

  it('a page of a scroll is missing', async () => {
    fault(SCROLL, { kind: 'missingPage' });
    const { body } = await client.get(SCROLL, { limit: 20 });
    const ids = Array.from(simulators.control.hosts, ({ device_id }) => device_id);
    expect(body.resources).toEqual(ids.slice(20, 40));
  });
});
