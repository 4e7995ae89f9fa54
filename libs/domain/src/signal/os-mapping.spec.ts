import { describe, expect, it } from '@jest/globals';
import type { OsMapping } from '../events.ts';
import { DEFAULT_OS_MAPPING } from './default-os-mapping.ts';
import { isAssetType, typingByOs } from './os-mapping.ts';

describe('a pattern of the mapping', () => {
  const OTHER = { assetType: 'Other', attackSurface: 'Unknown', supports: [] };
  const matches = (osPattern: string, os: string) =>
    typingByOs(os, { mappings: [{ ...OTHER, osPattern, assetType: 'matched' }], default: OTHER }) !== null;

  it.each([
    ['windows*', 'Windows 11', true],
    ['*SERVER*', 'Windows Server 2022', true],
    ['windows*server*', 'Windows 11', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*bc', 'abc', true],
    ['ab*bc', 'abc', false],
    ['*', '', true],
    ['', '', true],
    ['', 'x', false],
    ['a.c', 'abc', false],
    ['aix', 'aix 7', false],
    ['**x**', 'axb', true],
  ])('%j and %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('is linear for inputs on which regular expressions are not', () => {
    const pattern = `${'*a'.repeat(100)}*b`;
    const startedAt = process.cpuUsage().user;
    expect(matches(pattern, 'a'.repeat(100_000))).toBe(false);
    expect(process.cpuUsage().user - startedAt).toBeLessThan(2_000_000);
  });
});

describe('typingByOs (R-ASSET-9)', () => {
  const mapping: OsMapping = {
    mappings: [
      { osPattern: '*centos 7*', assetType: 'Old Linux', attackSurface: 'Servers', supports: ['va'] },
      { osPattern: '*centos*', assetType: 'Linux', attackSurface: 'Servers', supports: ['va', 'edr'] },
    ],
    default: { assetType: 'Other', attackSurface: 'Unknown', supports: [] },
  };

  it('the first pattern that matches wins; none leaves the default to the caller', () => {
    expect(typingByOs('CentOS 7.9', mapping)).toEqual({
      type: 'Old Linux',
      attackSurface: 'Servers',
      supports: ['va'],
    });
    expect(typingByOs('CentOS 9', mapping)?.type).toBe('Linux');
    expect(typingByOs('Plan 9', mapping)).toBeNull();
  });

  it('an asset type matches itself, and is not an operating system', () => {
    expect(typingByOs('old linux', mapping)?.type).toBe('Old Linux');
    expect([isAssetType('Old Linux', mapping), isAssetType('CentOS 7', mapping)]).toEqual([true, false]);
  });

  it('remembers a bounded number of answers and keeps giving the right one', () => {
    for (let i = 0; i < 3_000; i++) expect(typingByOs(`CentOS ${i}`, mapping)).not.toBeNull();
    expect(typingByOs('CentOS 7', mapping)?.type).toBe('Old Linux');
  });
});

describe('the built-in mapping', () => {
  it.each([
    ['Windows Server 2019 Datacenter 64 bit Edition Version 1809 Build 17763', 'Windows Server', 'Servers'],
    ['Microsoft Windows Server 2022', 'Windows Server', 'Servers'],
    ['Windows 11 Enterprise', 'Windows Workstation', 'Endpoints'],
    ['Windows 10', 'Windows Workstation', 'Endpoints'],
    ['macOS 14.4 Sonoma', 'Mac', 'Endpoints'],
    ['Sonoma (14)', 'Mac', 'Endpoints'],
    ['Plan 9', null, null],
    ['Mac OS X 10.15', 'Mac', 'Endpoints'],
    ['CentOS 7', 'CentOS', 'Servers'],
    ['CentOS Linux release 7.9.2009', 'CentOS', 'Servers'],
    ['Red Hat Enterprise Linux 9.3', 'Red Hat Enterprise Linux', 'Servers'],
    ['RHEL 8.9', 'Red Hat Enterprise Linux', 'Servers'],
    ['Rocky Linux 9', 'Rocky Linux', 'Servers'],
    ['AlmaLinux 9.2', 'AlmaLinux', 'Servers'],
    ['Oracle Linux Server 8', 'Oracle Linux', 'Servers'],
    ['Amazon Linux 2023', 'Amazon Linux', 'Servers'],
    ['Ubuntu 22.04 LTS', 'Ubuntu', 'Servers'],
    ['Debian GNU/Linux 12', 'Debian', 'Servers'],
    ['SUSE Linux Enterprise Server 15', 'SUSE', 'Servers'],
    ['Linux 5.15', 'Linux', 'Servers'],
    ['AIX 7.2', 'AIX', 'Servers'],
    ['Oracle Solaris 11', 'Solaris', 'Servers'],
    ['HP-UX 11i', 'HP-UX', 'Servers'],
    ['iOS 17.4', 'iOS', 'Mobile'],
    ['Android 14', 'Android', 'Mobile'],
    ['VMware ESXi 8.0', 'Hypervisor', 'Servers'],
    ['Cisco IOS-XE 17.9', 'Network Device', 'Network'],
    ['Cisco NX-OS 10.2', 'Network Device', 'Network'],
    ['Juniper Junos 22.4', 'Network Device', 'Network'],
    ['PAN-OS 11.0', 'Firewall', 'Network'],
    ['FortiOS 7.4', 'Firewall', 'Network'],
    ['Kubernetes 1.29', 'Container Platform', 'Cloud'],
    ['Microsoft SQL Server 2019', 'Database', 'Servers'],
  ])('%s is a %s on %s', (os, type, attackSurface) => {
    const typing = typingByOs(os, DEFAULT_OS_MAPPING);
    expect([typing?.type ?? null, typing?.attackSurface ?? null]).toEqual([type, attackSurface]);
  });

  it('has no row that an earlier one makes unreachable by its own pattern', () => {
    const hidden = DEFAULT_OS_MAPPING.mappings.filter(
      ({ osPattern, assetType }) =>
        typingByOs(osPattern.replaceAll('*', ''), DEFAULT_OS_MAPPING)?.type !== assetType,
    );
    expect(hidden).toEqual([]);
  });
});
