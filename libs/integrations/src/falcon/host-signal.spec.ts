import { describe, expect, it } from '@jest/globals';
import { DEFAULT_OS_MAPPING } from '#libs/domain';
import { describedBy, settingsWith } from '../../../../test/fixtures/integrations/reading.ts';
import { hostName } from './host-name.ts';
import { hostSignal } from './host-signal.ts';

const described = (host: object) =>
  describedBy(
    hostSignal({ device_id: 'd'.repeat(32), ...host }, 'falcon', DEFAULT_OS_MAPPING)!,
    settingsWith('edrsource-tags'),
  );

describe('the name of a host (R-EDR-3)', () => {
  it.each([
    ['WEB01', 'acme.com', 'WEB01.acme.com'],
    ['WEB01', '', 'WEB01'],
    ['WEB01', undefined, 'WEB01'],
    ['WEB01', 'SYS', 'WEB01.SYS'],
    ['CLM101-131.local', 'SYS', 'CLM101-131.local'],
    ['WEB01', ' acme.com. ', 'WEB01.acme.com'],
    ['WEB01', '.acme.com', 'WEB01.acme.com'],
    ["Ana's MacBook", 'acme.com', "Ana's MacBook"],
    ['WEB01', 'not a domain', 'WEB01'],
    ['10.0.0.5', 'acme.com', '10.0.0.5'],
    [' . ', 'acme.com', null],
    [7, 'acme.com', '7.acme.com'],
    [undefined, 'acme.com', null],
    ['localhost.localdomain', '', null],
    ['LOCALHOST', 'acme.com', null],
  ])('%p in the domain %p is %p', (hostname, machine_domain, name) => {
    expect(hostName({ hostname, machine_domain })).toBe(name);
  });

  it('without a host name is the device id, never an address', () => {
    expect(described({ local_ip: '10.0.0.5' }).entity.name).toBe('d'.repeat(32));
    expect(hostSignal({ local_ip: '10.0.0.5' }, 'falcon', DEFAULT_OS_MAPPING)).toBeNull();
  });
});

describe('the data of a host about its asset', () => {
  it('are addresses, operating system and tags', () => {
    const { entity, source } = described({
      hostname: 'web01',
      machine_domain: 'acme.com',
      local_ip: '10.0.0.5',
      external_ip: '81.2.69.192',
      mac_address: '00-50-56-AA-BB-CC',
      os_version: 'Windows Server 2019',
      platform_name: 'Windows',
      tags: ['FalconGroupingTags/prod', 'SensorGroupingTags/dmz', 'FalconGroupingTags/prod'],
    });
    expect(source.name).toBe('falcon');
    expect(entity).toMatchObject({
      name: 'web01.acme.com',
      hostname: 'web01',
      fqdn: 'web01.acme.com',
      ipAddresses: ['10.0.0.5', '81.2.69.192'],
      macAddresses: ['00:50:56:aa:bb:cc'],
      os: 'Windows Server 2019',
      typing: { type: 'Windows Server' },
      customFields: { 'edrsource-tags': ['FalconGroupingTags/prod', 'SensorGroupingTags/dmz'] },
      tags: {},
      unrecognisedTags: [],
    });
  });

  it('leaves tags as plain ones, and says so, while the custom field is not there (R-EDR-5)', () => {
    const signal = hostSignal({ hostname: 'web01', tags: ['x'] }, 'falcon', DEFAULT_OS_MAPPING)!;
    expect(describedBy(signal).entity).toMatchObject({
      tags: { 'edrsource-tags': ['x'] },
      customFields: {},
      unrecognisedTags: ['edrsource-tags'],
    });
  });

  it('empties the custom field if the host has lost its last tag, and omits it without tags', () => {
    expect(described({ hostname: 'web01', tags: [] }).entity.customFields).toEqual({ 'edrsource-tags': [] });
    expect(described({ hostname: 'web01' }).entity.customFields).toEqual({});
    const signal = hostSignal({ hostname: 'web01', tags: [] }, 'falcon', DEFAULT_OS_MAPPING)!;
    expect(describedBy(signal).entity).toMatchObject({ tags: {}, customFields: {}, unrecognisedTags: [] });
  });

  it.each([
    ['Windows 10', 'Windows', 'Windows 10', 'Windows Workstation'],
    ['Ventura(13)', 'Mac', 'Ventura(13)', 'Mac'],
    ['Catalina (10.15)', 'Mac', 'Catalina (10.15) (macOS)', 'Mac'],
    ['RHEL 8.8', 'Linux', 'RHEL 8.8', 'Red Hat Enterprise Linux'],
    ['PopOS 22', 'Linux', 'PopOS 22 (Linux)', 'Linux'],
    ['', 'Linux', 'Linux', 'Linux'],
    ['', 'Mac', 'macOS', 'Mac'],
  ])(
    '%p of the platform %p is %p, an asset of type %p (R-ASSET-9)',
    (os_version, platform_name, os, type) => {
      expect(described({ hostname: 'web01', os_version, platform_name }).entity).toMatchObject({
        os,
        typing: { type },
      });
    },
  );

  it('has only the operating system if no pattern matches, so that the default types it', () => {
    expect(
      described({ hostname: 'web01', os_version: 'Plan 9', platform_name: 'Bell' }).entity,
    ).toMatchObject({
      os: 'Plan 9',
      typing: null,
    });
  });
});
