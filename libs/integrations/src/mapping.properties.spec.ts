import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_OS_MAPPING, DEFAULT_SETTINGS } from '#libs/domain';
import { readingOf, settingsWith } from '../../../test/fixtures/integrations/reading.ts';
import { candidateNames, deviceSignal } from './axonius/device-signal.ts';
import { readDevice } from './axonius/read-device.ts';
import { alertSignals } from './falcon/alert-signals.ts';
import { hostName } from './falcon/host-name.ts';
import { hostSignal } from './falcon/host-signal.ts';
import { isObject, type Json } from './json-values.ts';
import { assetSignal, readAsset } from './tenable/asset-signal.ts';
import { vulnerabilitySignals } from './tenable/vulnerability-signals.ts';

/** A field that may be right, of another type, too long, or missing. */
const wild = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: right },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, '', ' ', '.', {}, [], -1, 1e21, true) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.nat(20).map((size) => '𐀀x'.repeat(500 * size)) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, right]) => [name, wild(right)])));

const texts = fc.string({ maxLength: 20 });
const names = fc.constantFrom('web01', 'WEB01.acme.com', 'Ana’s Mac', '10.0.0.5', 'x'.repeat(1100));
const instants = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const tags = fc.array(fc.constantFrom('FalconGroupingTags/x', 'true_positive', 'false_positive', 'ignored'));

const device = {
  device_id: fc.stringMatching(/^[0-9a-f]{32}$/),
  hostname: names,
  machine_domain: fc.constantFrom('acme.com', 'SYS', 'no domain', 'd'.repeat(1000)),
};
const hosts = record({
  ...device,
  os_version: fc.constantFrom('Windows 10', 'Ventura(13)'),
  platform_name: fc.constantFrom('Windows', 'Mac', 'constructor'),
  local_ip: fc.ipV4(),
  external_ip: fc.ipV6(),
  mac_address: texts,
  tags,
});
const alerts = record({
  composite_id: texts,
  id: texts,
  agent_id: texts,
  device: record(device),
  display_name: texts,
  name: texts,
  status: fc.constantFrom('new', 'closed', 'reopened'),
  tags,
  severity: fc.integer({ min: -5, max: 120 }),
  severity_name: fc.constantFrom('High', 'constructor', '__proto__'),
  technique_id: fc.constantFrom('T1110', 'CST0007', '__proto__'),
  technique: texts,
  mitre_attack: fc.array(record({ technique_id: fc.constantFrom('T1059.001', 'x') })),
  description: texts,
  cmdline: texts,
  timestamp: instants,
  created_timestamp: instants,
});
const aggregate = (one: fc.Arbitrary<unknown>) => fc.oneof(one, fc.array(one, { maxLength: 4 }));
const devices = record({
  internal_axon_id: texts,
  labels: aggregate(texts),
  'specific_data.data.hostname': aggregate(names),
  'specific_data.data.fqdn': aggregate(names),
  'specific_data.data.name': aggregate(names),
  'specific_data.data.network_interfaces.ips': aggregate(fc.ipV4()),
  'specific_data.data.network_interfaces.mac': aggregate(texts),
  'specific_data.data.os.type': aggregate(texts),
  'specific_data.data.tags': aggregate(
    record({ tag_key: fc.constantFrom('env', 'os', 'hostname', '__proto__'), tag_value: texts }),
  ),
  'specific_data.data.tags.tag_key': aggregate(texts),
  'specific_data.data.tags.tag_value': aggregate(texts),
  specific_data: fc.array(record({ data: record({ hostname: names, network_interfaces: fc.jsonValue() }) })),
  event: record({ data: fc.jsonValue() }),
});

const scannedAssets = record({
  id: texts,
  network: record({
    fqdns: aggregate(names),
    hostnames: aggregate(names),
    netbios_names: aggregate(texts),
    ipv4s: aggregate(fc.ipV4()),
    ipv6s: aggregate(fc.ipV6()),
    mac_addresses: aggregate(texts),
  }),
  operating_systems: aggregate(texts),
  tags: fc.array(record({ key: fc.constantFrom('env', 'os', 'hostname', '__proto__'), value: texts })),
  timestamps: record({ deleted_at: texts }),
});
const vulnerabilities = record({
  finding_id: texts,
  asset: record({ uuid: texts, tracked: fc.boolean() }),
  plugin: record({
    id: fc.nat(),
    name: texts,
    synopsis: texts,
    cve: aggregate(fc.constantFrom('CVE-2024-1234', 'cve-1', '__proto__')),
    cvss3_base_score: fc.double({ min: -2, max: 12 }),
    cvss3_vector: record({ raw: texts }),
    see_also: aggregate(texts),
    solution: texts,
    xrefs: fc.array(record({ type: fc.constantFrom('CWE', 'x'), id: fc.constantFrom('79', 'CWE-79', 'x') })),
  }),
  port: record({ port: fc.integer(), protocol: texts, service: texts }),
  severity: fc.constantFrom('high', 'constructor', 'HIGH'),
  severity_id: fc.integer(),
  severity_modification_type: fc.constantFrom('NONE', 'RECASTED'),
  state: fc.constantFrom('OPEN', 'FIXED', 'REOPENED', 'x'),
  output: texts,
  first_found: instants,
  last_found: instants,
});

const roundTripped = (value: Json): Json => JSON.parse(JSON.stringify(value));

describe('every record that a platform could send is a signal that the service takes', () => {
  it('hosts', () => {
    fc.assert(
      fc.property(hosts, (host) => {
        const signal = hostSignal(roundTripped(host), 'falcon', DEFAULT_OS_MAPPING);
        if (signal) expect(readingOf(signal).payload.type).toBe('AssetDescribed');
      }),
      { numRuns: 200 },
    );
  });

  it('detections', () => {
    fc.assert(
      fc.property(fc.array(alerts, { minLength: 1, maxLength: 5 }), (list) => {
        const placed = list.map(roundTripped).map((alert) => ({
          alert,
          host: hostName(isObject(alert.device) ? alert.device : {}) ?? 'web01',
        }));
        const signals = alertSignals(placed, 'falcon');
        const read = signals.map((signal) => readingOf(signal).payload);
        expect(read.every(({ type }) => type === 'SignalReceived')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('devices', () => {
    const fields = ['env', 'assetinventory-id', 'assetinventory-tags'];
    const known = { customFields: new Set(fields), osMapping: DEFAULT_SETTINGS.osMapping };
    fc.assert(
      fc.property(devices, (record) => {
        const read = readDevice(roundTripped(record));
        for (const name of candidateNames(read)) {
          const { payload } = readingOf(deviceSignal(read, name, 'axonius', known), settingsWith(...fields));
          expect(payload).toMatchObject({ type: 'AssetDescribed', entity: { tags: {} } });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('assets of the scanner', () => {
    const known = { customFields: new Set(['env']), osMapping: DEFAULT_SETTINGS.osMapping };
    fc.assert(
      fc.property(scannedAssets, (record) => {
        const asset = readAsset(roundTripped(record));
        if (asset.name === null) return;
        const signal = assetSignal({ ...asset, name: asset.name }, 'tenable', known);
        expect(readingOf(signal, settingsWith('env')).payload.type).toBe('AssetDescribed');
      }),
      { numRuns: 200 },
    );
  });

  it('vulnerabilities', () => {
    fc.assert(
      fc.property(fc.array(vulnerabilities, { minLength: 1, maxLength: 5 }), (list) => {
        const placed = list.map((record) => ({ host: 'web01', record: roundTripped(record) }));
        const read = vulnerabilitySignals(placed, 'tenable').map((signal) => readingOf(signal).payload);
        expect(read.every(({ type }) => type === 'SignalReceived')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
