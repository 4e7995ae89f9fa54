import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bareClock } from '#libs/clock';
import type { Asset } from '#libs/domain';
import { endStatementsOfRemoved } from '../../apps/collector/src/statements/end-statements.ts';
import { EDR } from '../fixtures/collector/integration-events.ts';
import { TwoPlatforms } from '../fixtures/collector/two-platforms.ts';

const HOSTS = 20;
const ALERTS = 30;

let both: TwoPlatforms;

const statementsOf = (all: Asset[], source: string) =>
  all.flatMap(({ statements = [] }) => statements.filter((statement) => statement.source === source));

const numberIn = <T>(
  records: { end: number; at(number: number): T | undefined },
  isIt: (record: T | undefined) => boolean,
) => Array.from({ length: records.end }, (_, number) => records.at(number)).findIndex(isIt);

/** One story on one log: each test continues where the one before ended. */
describe.each([
  ['the same hosts', ''],
  ['the same sealed hosts', '*'],
])('an EDR platform and an inventory that describe %s', (_, sealedMachines) => {
  beforeAll(async () => {
    both = await TwoPlatforms.start(HOSTS, ALERTS, sealedMachines);
  });
  afterAll(() => both.stop());

  it('both have their data at the assets, and another round changes nothing', async () => {
    expect(await both.syncBoth()).toBeGreaterThan(HOSTS);
    const all = await both.assets();
    expect(statementsOf(all, 'falcon')).toHaveLength(HOSTS);
    expect(statementsOf(all, 'axonius').length).toBeGreaterThan(HOSTS / 2);
    // The devices of the inventory have other addresses than the hosts.
    const described = all.find(({ statements = [] }) => statements.length === 2)!;
    const said = new Set(described.statements!.flatMap(({ ipAddresses = [] }) => ipAddresses));
    expect(new Set(described.ipAddresses)).toEqual(said);
    expect(await both.syncBoth()).toBe(0);
    expect(await both.syncBoth()).toBe(0);
    expect(await both.assets()).toEqual(all);
  });

  it('a renamed host takes its data to the asset of its new name in the same sync', async () => {
    const host = both.platforms.control.hosts.at(0)!;
    both.platforms.control.hosts.change(0, { hostname: 'renamed01' });
    await both.syncBoth();
    const ofDevice = (await both.assets()).filter(({ statements = [] }) =>
      statements.some(({ source, deviceId }) => source === 'falcon' && deviceId === host.device_id),
    );
    expect(ofDevice.map(({ hostname }) => hostname)).toEqual(['renamed01']);
    expect(await both.syncBoth()).toBe(0);
  });

  it('the data of a device ends with the full sync that no longer lists it, and that of the other source stays (R-SRC-5)', async () => {
    const before = await both.assets();
    const described = before.filter(({ statements = [] }) => statements.length === 2);
    const [host, device] = [described.at(0)!, described.at(-1)!].map((asset, i) =>
      asset.statements!.find(({ source }) => source === ['falcon', 'axonius'][i]),
    );
    const { hosts, devices } = both.platforms.control;
    hosts.remove(numberIn(hosts, (record) => record?.device_id === host!.deviceId));
    devices.remove(numberIn(devices, (record) => record?.internal_axon_id === device!.deviceId));

    expect(await both.syncBoth()).toBeGreaterThanOrEqual(2);
    const after = await both.assets();
    const ended = { falcon: host!.deviceId, axonius: device!.deviceId } as Record<string, string>;
    const kept = before.map(({ statements = [] }) =>
      statements.filter(({ source, deviceId }) => ended[source!] !== deviceId),
    );
    expect(after.map(({ statements = [] }) => statements)).toEqual(kept);
    for (const { ipAddresses, statements = [] } of after) {
      expect(ipAddresses).toEqual([...new Set(statements.flatMap((one) => one.ipAddresses ?? []))]);
    }
    expect(await both.syncBoth()).toBe(0);
  });

  it('a host that gets an FQDN leaves the asset of its bare name, if FQDNs distinguish the others', async () => {
    await both.act({ type: 'SettingsChanged', seenVersion: null, changes: { assetMatching: '"fqdn"' } });
    const { hosts } = both.platforms.control;
    const [a, b, moved] = Array.from({ length: hosts.end }, (_, number) => number).filter(
      (number) => hosts.at(number) !== undefined,
    );
    const name = (number: number, machine_domain: string) =>
      hosts.change(number, { hostname: 'shared01', machine_domain });
    const isOfMoved = ({ statements = [] }: Asset) =>
      statements.some(({ deviceId }) => deviceId === hosts.at(moved!)!.device_id);
    for (const [number, domain] of [
      [a, 'a.example'],
      [b, 'b.example'],
      [moved, ''],
    ] as const) {
      name(number!, domain);
      await both.sync(EDR);
    }
    const [bare] = (await both.assets()).filter(isOfMoved);
    expect(bare).toMatchObject({ name: 'shared01', fqdn: null, edrSources: ['falcon'] });
    name(moved!, 'c.example');
    await both.sync(EDR);
    const after = await both.assets();
    expect(after.filter(isOfMoved).map(({ fqdn }) => fqdn)).toEqual(['shared01.c.example']);
    expect(after.find(({ id }) => id === bare!.id)!.edrSources ?? []).toEqual([]);
  });

  it('the data of an integration ends after it was removed, and the other one stays', async () => {
    const before = statementsOf(await both.assets(), 'axonius');
    await both.remove(EDR);
    const site = { db: both.database.db, log: both.log, trustedClock: bareClock(Date.now) };
    expect(await endStatementsOfRemoved(site, AbortSignal.abort())).toBe(0);
    const ended = await endStatementsOfRemoved(site, new AbortController().signal);
    await both.fold();
    expect(ended).toBe(HOSTS - 1);
    const all = await both.assets();
    expect(statementsOf(all, 'falcon')).toEqual([]);
    expect(statementsOf(all, 'axonius')).toEqual(before);
    for (const { ipAddresses, statements = [] } of all) {
      expect(ipAddresses).toEqual([...new Set(statements.flatMap((one) => one.ipAddresses ?? []))]);
    }
  });
});
