import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SimulatorClient } from '../../../../test/simulators/simulator-client.ts';
import { AXONIUS_KEYS, type Device, type Host, type Simulators, startSimulators } from '../index.ts';

const ID = 'internal_axon_id';
const NAME = 'specific_data.data.name';
const FQDN = 'specific_data.data.fqdn';
const HOSTNAME = 'specific_data.data.hostname';
const COUNT = { path: '/api/devices/count', type: 'entities_count_schema' };

let simulators: Simulators;
let client: SimulatorClient;
beforeAll(async () => {
  simulators = await startSimulators({ hosts: 100, alerts: 0, devices: 130, seed: 3 });
  client = await SimulatorClient.of(simulators);
});
afterAll(() => simulators.close());

const page = (offset: number, more: object = {}) =>
  client.devices({ page: { offset, limit: 50 }, use_cursor: true, fields: { devices: [NAME] }, ...more });
const idsOf = ({ body }: { body: { data: { id: string }[] } }): string[] => body.data.map(({ id }) => id);
const all = (): Device[] => [...simulators.control.devices];

describe('a list of devices', () => {
  it('supports offset and cursor, and ends with an empty page', async () => {
    const first = await page(0);
    expect(first.body.meta).toEqual({
      page: { number: 1, size: 50, totalPages: 3, totalResources: 130 },
      cursor: expect.any(String),
    });
    const { cursor } = first.body.meta;
    const others = [];
    for (const offset of [50, 100, 130]) others.push(await page(offset, { cursor_id: cursor }));
    expect([first, ...others].flatMap(idsOf)).toEqual(all().map((device) => device[ID]));
    expect(others.at(-1)?.body.data).toEqual([]);
    expect(others.at(-1)?.body.meta.cursor).toBe(cursor);
  });

  it('returns the snapshot of its start while the cursor is used', async () => {
    const { body } = await page(0);
    const number = simulators.control.devices.add();
    expect((await page(100, { cursor_id: body.meta.cursor })).body.data).toHaveLength(30);
    expect((await page(100)).body.data).toHaveLength(31);
    simulators.control.devices.remove(number);
    expect((await page(0, { cursor_id: 'x' })).status).toBe(400);
  });

  it('answers the documented check of the connection', async () => {
    const { status, body } = await client.devices({
      page: { offset: 0, limit: 1 },
      use_cache_entry: false,
      always_cached_query: false,
      get_metadata: true,
      include_details: true,
      fields: { devices: [NAME, FQDN, 'labels', ID, 'specific_data.data.tags.key'] },
    });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(1);
    const { attributes } = body.data[0];
    expect(attributes).toMatchObject({
      [ID]: all()[0]?.[ID],
      adapters: expect.any(Array),
      labels: expect.any(Array),
    });
    expect(attributes[`${NAME}_details`]).toHaveLength(attributes.adapter_list_length);
    expect(body.meta.cursor).toBeUndefined();
  });

  it('has single values with and without a list around them, and tags of adapters', () => {
    const names = all().map((device) => device[HOSTNAME]);
    expect(names.some((name) => typeof name === 'string')).toBe(true);
    expect(names.some((name) => Array.isArray(name))).toBe(true);
    expect(all().flatMap((device) => device['specific_data.data.tags'])).toContainEqual({
      key: expect.any(String),
      source: expect.any(String),
      value: expect.any(String),
    });
  });

  it('has machines that are also hosts of the EDR platform, by name or only by full name', () => {
    const nameOf = ({ hostname }: Host) => hostname;
    const hostnames = new Set(Array.from(simulators.control.hosts, nameOf));
    const isByName = (device: Device) => [device[HOSTNAME]].flat().some((name) => hostnames.has(`${name}`));
    const fullNames = new Set(
      Array.from(simulators.control.hosts, ({ hostname, machine_domain }) =>
        (hostname.includes('.') ? hostname : `${hostname}.${machine_domain}`).toLowerCase(),
      ),
    );
    const isByFullName = (device: Device) =>
      !isByName(device) && [device[FQDN]].flat().some((name) => fullNames.has(`${name}`.toLowerCase()));
    expect(all().filter(isByName).length).toBeGreaterThan(30);
    expect(all().filter(isByFullName).length).toBeGreaterThan(10);
    expect(all().filter((device) => !isByName(device) && !isByFullName(device)).length).toBeGreaterThan(30);
  });

  it.each([
    ['a filter that is not supported', { filter: '("labels" in ["PCI"])' }, 400],
    ['a page of more than 2,000', { page: { offset: 0, limit: 2_001 } }, 422],
    ['fields that are none', { fields: { devices: 'name' } }, 422],
  ])('is rejected for %s', async (_, attributes, status) => {
    expect((await client.devices(attributes)).status).toBe(status);
  });

  it('is rejected for an envelope of another type', async () => {
    expect((await client.devices({}, { type: 'x' })).status).toBe(422);
  });
});

describe('a count', () => {
  it('is null until it is ready, and again after a change', async () => {
    const count = async (filter: string) =>
      (await client.devices({ filter }, COUNT)).body.data.attributes.value;
    const filter = '("labels" == "PCI")';
    const expected = all().filter(({ labels }) => labels.includes('PCI')).length;
    expect([await count(filter), await count(filter), await count('')]).toEqual([null, expected, null]);
    const [some] = all().entries();
    simulators.control.devices.change(some?.[0] ?? 0, { labels: ['PCI'] });
    const changed = all().filter(({ labels }) => labels.includes('PCI')).length;
    expect([await count(filter), await count(filter)]).toEqual([null, changed]);
  });
});

describe('keys', () => {
  it.each([
    ['a wrong secret', { ...AXONIUS_KEYS.full, secret: 'x' }, 401],
    ['a wrong key', { ...AXONIUS_KEYS.full, key: 'x' }, 401],
    ['no permission', AXONIUS_KEYS.withoutDevices, 403],
    ['all that is needed', AXONIUS_KEYS.full, 200],
  ])('with %s', async (_, { key, secret }, status) => {
    const headers = { 'api-key': key, 'api-secret': secret };
    const told = await client.send(`/api/devices/${all()[0]?.[ID]}`, { headers });
    expect(told.status).toBe(status);
  });
});
