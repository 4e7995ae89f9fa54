import type { FindingType, OsMapping, OsMappingRow } from '../events.ts';

const HOST: FindingType[] = ['finding', 'ca', 'va', 'edr', 'waf', 'others'];
const DEVICE: FindingType[] = ['finding', 'ca', 'va', 'others'];

const rows = (
  attackSurface: string,
  supports: FindingType[],
  patternsByType: Record<string, string[]>,
): OsMappingRow[] =>
  Object.entries(patternsByType).flatMap(([assetType, patterns]) =>
    patterns.map((osPattern) => ({ osPattern, assetType, attackSurface, supports })),
  );

/** The default mapping; narrow patterns precede wide ones. */
export const DEFAULT_OS_MAPPING: OsMapping = {
  mappings: [
    ...rows('Cloud', HOST, {
      'Container Platform': [
        '*kubernetes*',
        '*openshift*',
        'k3s*',
        '*docker*',
        '*container*',
        '*bottlerocket*',
      ],
    }),
    ...rows('Servers', DEVICE, {
      Hypervisor: [
        '*esxi*',
        '*vsphere*',
        '*vcenter*',
        '*xenserver*',
        '*proxmox*',
        '*hyper-v server*',
        '*nutanix*',
        '*ahv*',
      ],
    }),
    ...rows('Mobile', DEVICE, {
      iOS: ['ios', 'ios 1*', 'ios 2*', 'ipados*', 'iphone*', 'ipad*', 'apple ios*'],
      Android: ['*android*'],
    }),
    ...rows('Network', DEVICE, {
      'Network Device': [
        '*ios-xe*',
        '*ios xe*',
        '*ios-xr*',
        '*ios xr*',
        '*nx-os*',
        '*nxos*',
        '*cisco*',
        '*junos*',
        '*juniper*',
        '*arista*',
        '*aruba*',
        '*comware*',
        '*routeros*',
        '*mikrotik*',
        '*edgeos*',
        '*vyos*',
      ],
      Firewall: [
        '*pan-os*',
        '*panos*',
        '*palo alto*',
        '*fortios*',
        '*fortigate*',
        '*fortinet*',
        '*check point*',
        '*gaia*',
        '*sonicos*',
        '*sonicwall*',
        '*pfsense*',
        '*opnsense*',
        '*sophos*',
      ],
      'Load Balancer': ['*big-ip*', '*tmos*', '*netscaler*', '*citrix adc*'],
    }),
    ...rows('Servers', HOST, {
      'Windows Server': ['*windows*server*', 'win2k*'],
    }),
    ...rows('Endpoints', HOST, {
      'Windows Workstation': ['*windows*', 'win7*', 'win8*', 'win10*', 'win11*', 'win32*', 'win64*'],
      Mac: [
        '*macos*',
        '*mac os*',
        '*os x*',
        '*darwin*',
        '*monterey*',
        '*ventura*',
        '*sonoma*',
        '*sequoia*',
        '*tahoe*',
        '*big sur*',
      ],
      'Chrome OS': ['*chrome os*', '*chromeos*'],
    }),
    ...rows('Servers', HOST, {
      'Red Hat Enterprise Linux': ['*red hat*', '*redhat*', 'rhel*'],
      CentOS: ['*centos*'],
      'Rocky Linux': ['*rocky*'],
      AlmaLinux: ['*almalinux*', '*alma linux*'],
      'Oracle Linux': ['*oracle linux*', '*oracle*enterprise linux*'],
      'Amazon Linux': ['*amazon linux*', 'amzn*'],
      Ubuntu: ['*ubuntu*'],
      Debian: ['*debian*'],
      SUSE: ['*suse*', 'sles*', '*sled*'],
      Fedora: ['*fedora*'],
      'Alpine Linux': ['*alpine*'],
      AIX: ['*aix*'],
      Solaris: ['*solaris*', '*sunos*'],
      'HP-UX': ['*hp-ux*', '*hpux*'],
      BSD: ['*freebsd*', '*openbsd*', '*netbsd*'],
      'z/OS': ['*z/os*'],
      'IBM i': ['*ibm i', '*ibm i *', '*os/400*'],
      Linux: ['*linux*', '*unix*'],
    }),
    ...rows('Servers', DEVICE, {
      Database: ['*sql server*', '*postgres*', '*mysql*', '*mariadb*', '*oracle database*', '*mongodb*'],
    }),
  ],
  default: { assetType: 'Other', attackSurface: 'Infrastructure', supports: HOST },
};
