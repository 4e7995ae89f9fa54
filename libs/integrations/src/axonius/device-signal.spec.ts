import { describe, expect, it } from '@jest/globals';
import { DEFAULT_OS_MAPPING } from '#libs/domain';
import { describedBy, settingsWith } from '../../../../test/fixtures/integrations/reading.ts';
import { candidateNames, deviceSignal } from './device-signal.ts';
import { readDevice } from './read-device.ts';

const FIELDS = ['assetinventory-connection-label', 'assetinventory-tags', 'assetinventory-id', 'env'];
const flat = (data: object, given: object = {}) => ({
  id: 'a1',
  attributes: {
    internal_axon_id: 'a1',
    ...Object.fromEntries(Object.entries(data).map(([key, value]) => [`specific_data.data.${key}`, value])),
    ...given,
  },
});
const described = (record: Record<string, unknown>, matched: string, fields = FIELDS) =>
  describedBy(
    deviceSignal(readDevice(record), matched, 'axonius', {
      customFields: new Set(fields),
      osMapping: DEFAULT_OS_MAPPING,
    }),
    settingsWith(...fields),
  ).entity;

describe('a device of the inventory (R-INV-3)', () => {
  const DATA = {
    hostname: ['web01'],
    fqdn: 'web01.acme.com',
    name: ['Windows Server 2019', 'web01'],
    'network_interfaces.ips': ['10.0.0.5', 'fe80::1', 'none'],
    'network_interfaces.mac': '00:0C:29:B6:DA:46',
    'os.type': 'Windows',
    'os.type_distribution': ['Windows Server 2019'],
    connection_label: 'ad-main',
    tags: [
      { tag_key: 'env', tag_value: 'prod', tag_source: 'aws' },
      { tag_key: 'unknown', tag_value: 'x' },
      { tag_key: 'env', tag_value: ['blue', 'prod'] },
    ],
  };

  it('describes the asset it was matched with: names, addresses, system and the custom fields that exist', () => {
    expect(described(flat(DATA, { labels: ['crown jewel'] }), 'web01')).toMatchObject({
      name: 'web01.acme.com',
      hostname: 'web01',
      fqdn: 'web01.acme.com',
      ipAddresses: ['10.0.0.5', 'fe80::1'],
      macAddresses: ['00:0c:29:b6:da:46'],
      os: 'Windows Server 2019',
      typing: { type: 'Windows Server' },
      customFields: {
        'assetinventory-connection-label': ['ad-main'],
        'assetinventory-id': ['a1'],
        'assetinventory-tags': ['crown jewel'],
        env: ['blue', 'prod'],
      },
      tags: {},
      unrecognisedTags: [],
    });
  });

  it.each([
    ['the most precise of several', ['Windows', 'WINDOWS Server 2019'], 'WINDOWS Server 2019'],
    ['the only one', ['Windows'], 'Windows'],
    ['the first by the alphabet of equally precise ones', ['Windows 10', 'Linux'], 'Linux'],
  ])('gives as operating system %s', (_, given, os) => {
    expect(described(flat({ hostname: 'web01', 'os.type': given }), 'web01')).toMatchObject({ os });
  });

  it('fills no custom field that does not exist, and leaves no plain tag for it', () => {
    expect(described(flat(DATA, { labels: 'x' }), 'web01', [])).toMatchObject({
      customFields: {},
      tags: {},
      unrecognisedTags: [],
    });
  });

  it('empties fields of the inventory that have no value any more, and no other', () => {
    expect(described(flat({ hostname: 'web01' }), 'web01').customFields).toEqual({
      'assetinventory-connection-label': [],
      'assetinventory-id': ['a1'],
      'assetinventory-tags': [],
    });
  });

  it('reads keys and values from two lists of equal length, and not from others', () => {
    const pairs = { hostname: 'web01', 'tags.tag_key': ['env'], 'tags.tag_value': ['prod'] };
    expect(described(flat(pairs), 'web01').customFields).toMatchObject({ env: ['prod'] });
    const torn = { ...pairs, 'tags.tag_value': ['prod', 'blue'] };
    expect(described(flat(torn), 'web01').customFields).not.toHaveProperty('env');
  });

  it('is looked for by host names, FQDNs and names in this order', () => {
    expect(candidateNames(readDevice(flat(DATA)))).toEqual([
      'web01',
      'web01.acme.com',
      'Windows Server 2019',
    ]);
  });

  it('is not looked for by a name that every machine has', () => {
    const device = flat({ hostname: ['db7', 'localhost'], fqdn: 'localhost.localdomain', name: '127.0.0.1' });
    expect(candidateNames(readDevice(device))).toEqual(['db7']);
  });

  it('takes no FQDN of another machine', () => {
    const other = flat({ hostname: 'web01', fqdn: ['db02.acme.com'] });
    expect(described(other, 'web01')).toMatchObject({ name: 'web01', fqdn: null });
    const two = flat({ hostname: 'web01', fqdn: ['db02.acme.com', 'web01.acme.com'] });
    expect(described(two, 'web01')).toMatchObject({ name: 'web01.acme.com' });
  });

  it('keeps the FQDN that it was matched by', () => {
    const device = flat({ hostname: 'web01', fqdn: ['web01.other.com', 'web01.acme.com'] });
    expect(described(device, 'web01.acme.com').name).toBe('web01.acme.com');
  });
});
