import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retainedBytes } from '../../../test/support/retained-bytes.ts';
import { Clock } from './clock.ts';
import { type EstateSize, estateOf } from './estate.ts';

const EPOCH_MS = Date.parse('2026-05-08T12:00:00Z');
const SIZE = { hosts: 2_000, alerts: 3_000, devices: 300, assets: 40, vulnerabilities: 90, seed: 7 };
const estate = (size: Partial<EstateSize> = {}) => estateOf({ ...SIZE, ...size }, EPOCH_MS, new Clock());

describe('the data of the platforms', () => {
  it('is the same for the same seed, and another for another', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(SIZE.devices - 1), (seed, number) => {
        const [one, same, other] = [estate({ seed }), estate({ seed }), estate({ seed: seed + 1 })];
        for (const kind of ['hosts', 'alerts', 'devices'] as const) {
          expect(one[kind].at(number)).toEqual(same[kind].at(number));
          expect(one[kind].at(number)).not.toEqual(other[kind].at(number));
        }
      }),
    );
  });

  it('is found by its ids, each of which is of one record', () => {
    const { hosts, alerts, devices } = estate();
    const lost = [
      ...Array.from(hosts).filter(({ device_id: id }) => hosts.withId(id)?.device_id !== id),
      ...Array.from(alerts).filter(({ composite_id: id }) => alerts.withId(id)?.composite_id !== id),
      ...Array.from(devices).filter(
        ({ internal_axon_id: id }) => devices.withId(id)?.internal_axon_id !== id,
      ),
    ];
    expect(lost).toEqual([]);
    expect(new Set(Array.from(alerts, ({ composite_id }) => composite_id)).size).toBe(SIZE.alerts);
    expect(hosts.withId('')).toBeUndefined();
    expect(hosts.withId(`${hosts.at(0)?.device_id.slice(0, 31)}x`)).toBeUndefined();
    expect(new Set(Array.from(hosts, ({ hostname }) => hostname.toLowerCase())).size).toBe(SIZE.hosts);
  });

  it('has hosts with and without a domain, with a dot in their name, and with tags of both kinds', () => {
    const hosts = [...estate().hosts];
    const domains = hosts.map(({ machine_domain }) => machine_domain);
    expect(domains).toEqual(expect.arrayContaining([undefined, '', 'CORP.EXAMPLE.COM']));
    expect(hosts.filter(({ hostname }) => hostname.includes('.')).length).toBeGreaterThan(50);
    const prefixes = new Set(hosts.flatMap(({ tags }) => tags.map((tag) => tag.split('/')[0])));
    expect(prefixes).toEqual(new Set(['FalconGroupingTags', 'SensorGroupingTags']));
    expect(hosts.some(({ tags }) => tags.length === 0)).toBe(true);
    expect(new Set(hosts.map(({ os_version }) => os_version)).size).toBe(11);
  });

  it('names the host of an alert in its ids, and its severity in words, also if a change has set them', () => {
    const { hosts, alerts } = estate();
    const device = [...hosts].find(({ platform_name }) => platform_name === 'Mac')!;
    const number = alerts.add({ agent_id: device.device_id, device, severity: 90 });
    const alert = alerts.at(number)!;
    for (const name of ['id', 'composite_id', 'indicator_id', 'aggregate_id', 'falcon_host_link']) {
      expect(alert[name]).toContain(`ind:${device.device_id}:`);
    }
    expect(alert).toMatchObject({
      logon_domain: device.machine_domain ?? '',
      platform: 'Mac',
      severity_name: 'Critical',
    });
    expect(alerts.withId(alert.composite_id)).toEqual(alert);
    alerts.change(number, { severity: 15 });
    expect(alerts.at(number)).toMatchObject({ severity: 15, severity_name: 'Informational' });
  });

  it('states when a vulnerability was fixed', () => {
    const { vulnerabilities } = estate();
    const number = [...vulnerabilities].findIndex(({ state }) => state === 'OPEN');
    const lastFixed = () => vulnerabilities.at(number)!.last_fixed;
    vulnerabilities.change(number, { state: 'FIXED' });
    const fixed = lastFixed();
    expect(Date.parse(fixed!)).toBe(vulnerabilities.at(number)!.indexed);
    vulnerabilities.change(number, { plugin: 3 });
    expect(lastFixed()).toBe(fixed);
    vulnerabilities.change(number, { state: 'REOPENED' });
    expect(lastFixed()).toBeNull();
    vulnerabilities.change(number, { state: 'FIXED', last_fixed: '2026-01-01T00:00:00.000Z' });
    expect(lastFixed()).toBe('2026-01-01T00:00:00.000Z');
  });

  it('has several alerts of one technique on a host, and others of the vendor or without any', () => {
    const alerts = [...estate().alerts];
    const detected = alerts.flatMap(({ agent_id, technique_id }) =>
      technique_id === undefined ? [] : [`${agent_id} ${technique_id}`],
    );
    expect(detected.length - new Set(detected).size).toBeGreaterThan(500);
    const techniques = alerts.map(({ technique_id }) => technique_id as string | undefined);
    expect(techniques).toEqual(expect.arrayContaining([undefined, 'T1486', 'CST0000']));
  });

  it('has alerts in every state, with and without a verdict', () => {
    const states = new Set([...estate().alerts].map(({ status, tags }) => [status, ...tags].join(' ')));
    const verdicts = ['', ' true_positive', ' false_positive', ' ignored'];
    const judged = ['in_progress', 'reopened', 'closed'].flatMap((status) =>
      verdicts.map((tag) => status + tag),
    );
    expect(states).toEqual(new Set(['new', ...judged]));
  });

  it('happened before now, the creation first', () => {
    const now = new Date(EPOCH_MS).toISOString();
    const { hosts, alerts } = estate();
    const histories = [
      ...Array.from(alerts, ({ created_timestamp, updated_timestamp }) => [
        created_timestamp,
        updated_timestamp,
      ]),
      ...Array.from(hosts, ({ first_seen, last_seen, modified_timestamp }) =>
        [first_seen, last_seen, modified_timestamp].map(String),
      ),
    ].map((instants) => [...instants, now]);
    expect(histories.filter((instants) => instants.join() !== instants.toSorted().join())).toEqual([]);
  });

  it('is computed, not stored: however much there is, memory stays', () => {
    const { hosts } = estate({ hosts: 100_000 });
    const before = retainedBytes('heapUsed');
    let count = 0;
    for (const { tags } of hosts) count += tags.length === 0 ? 0 : 1;
    expect(count).toBeGreaterThan(50_000);
    const after = retainedBytes('heapUsed');
    // The estate still exists. A host has about 2,000 bytes, so stored hosts would use 200 MB.
    expect(hosts.size).toBe(100_000);
    expect(after - before).toBeLessThan(20_000_000);
  });

  it('stores only changed, added and removed values', () => {
    const { hosts } = estate();
    const before = hosts.at(5);
    hosts.change(5, { tags: ['FalconGroupingTags/New'] });
    hosts.change(5, { status: 'contained' });
    expect(hosts.at(5)).toMatchObject({
      device_id: before?.device_id,
      tags: ['FalconGroupingTags/New'],
      status: 'contained',
    });
    expect(`${hosts.at(5)?.modified_timestamp}` > `${before?.modified_timestamp}`).toBe(true);
    const added = hosts.add({ hostname: 'NEW-1' });
    hosts.remove(6);
    expect([hosts.size, hosts.at(6), hosts.at(added)?.hostname]).toEqual([SIZE.hosts, undefined, 'NEW-1']);
    expect(hosts.withId(hosts.at(added)?.device_id ?? '')).toEqual(hosts.at(added));
    expect(() => hosts.change(6, {})).toThrow(RangeError);
    expect(() => hosts.remove(SIZE.hosts + 1)).toThrow(RangeError);
    expect(Array.from(hosts)).toHaveLength(SIZE.hosts);
  });
});
