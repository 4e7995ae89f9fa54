/** Operating systems of hosts, by the platform's names, and their frequencies. */
export interface OperatingSystem {
  platform: 'Windows' | 'Mac' | 'Linux';
  version: string;
  product: 'Workstation' | 'Server' | 'Domain Controller';
  /** Begins the names of such machines. */
  role: string;
  /** Among all weights. */
  weight: number;
}

const OPERATING_SYSTEMS: readonly OperatingSystem[] = [
  { platform: 'Windows', version: 'Windows 11', product: 'Workstation', role: 'LT', weight: 30 },
  { platform: 'Windows', version: 'Windows 10', product: 'Workstation', role: 'WS', weight: 20 },
  { platform: 'Windows', version: 'Windows Server 2022', product: 'Server', role: 'APP', weight: 10 },
  { platform: 'Windows', version: 'Windows Server 2019', product: 'Server', role: 'SQL', weight: 6 },
  {
    platform: 'Windows',
    version: 'Windows Server 2016',
    product: 'Domain Controller',
    role: 'DC',
    weight: 2,
  },
  { platform: 'Mac', version: 'Sequoia (15)', product: 'Workstation', role: 'MacBook-Pro', weight: 8 },
  { platform: 'Mac', version: 'Ventura (13)', product: 'Workstation', role: 'MacBook-Air', weight: 4 },
  { platform: 'Linux', version: 'Ubuntu 22.04', product: 'Server', role: 'web', weight: 8 },
  { platform: 'Linux', version: 'RHEL 9.4', product: 'Server', role: 'db', weight: 6 },
  { platform: 'Linux', version: 'Amazon Linux 2', product: 'Server', role: 'api', weight: 4 },
  { platform: 'Linux', version: 'Debian GNU 12', product: 'Server', role: 'proxy', weight: 2 },
];

const TOTAL = OPERATING_SYSTEMS.reduce((sum, { weight }) => sum + weight, 0);

/** @param below draws a whole number below its argument */
export function operatingSystemAt(below: (count: number) => number): OperatingSystem {
  let left = below(TOTAL);
  for (const system of OPERATING_SYSTEMS) {
    left -= system.weight;
    if (left < 0) return system;
  }
  throw new RangeError('The draw is not below the sum of all weights.');
}
