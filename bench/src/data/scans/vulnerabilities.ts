import type { Random } from '#libs/sample-data';

/** The data of a scanner's plug-in about a vulnerability, the same on every machine. */
export interface Vulnerability {
  cve: string;
  product: string;
  title: string;
  description: string;
  vector: string;
  score: number;
  attack: string;
  technique: string;
  fixedIn: string;
}

/** A power of two: see `scannedMachines`. */
export const VULNERABILITY_COUNT = 2_048;

const PRODUCTS = [
  'OpenSSL',
  'Apache HTTP Server',
  'nginx',
  'OpenSSH',
  'curl',
  'Bash',
  'sudo',
  'PostgreSQL',
  'MySQL',
  'PHP',
  'Tomcat',
  'Jenkins',
  'Firefox',
  'Chrome',
  'glibc',
  'the Linux kernel',
  'systemd',
  'Samba',
  'BIND',
  'Exchange Server',
  'Outlook',
  '.NET',
  'IIS',
  'Windows Kernel',
];
const WEAKNESSES = [
  ['heap buffer overflow', 'Exploit Public-Facing Application', 'T1190'],
  ['use after free', 'Exploitation for Client Execution', 'T1203'],
  ['improper input validation', 'Exploit Public-Facing Application', 'T1190'],
  ['privilege escalation', 'Exploitation for Privilege Escalation', 'T1068'],
  ['infinite loop', 'Application or System Exploitation', 'T1499.004'],
  ['path traversal', 'File and Directory Discovery', 'T1083'],
  ['information disclosure', 'Unsecured Credentials', 'T1552'],
  ['authentication bypass', 'Valid Accounts', 'T1078'],
] as const;
const PLACES = [
  'certificate parser',
  'HTTP/2 frame handler',
  'session cache',
  'XML reader',
  'URL decoder',
  'key exchange',
  'compression layer',
  'logging component',
  'configuration loader',
  'font renderer',
];
const CONSEQUENCES = [
  'run code of their choice with the rights of the service',
  'read memory of other sessions, keys and passwords among it',
  'stop the service until an operator starts it again',
  'take the rights of an administrator on the machine',
];

/** A scanner's catalogue, made up; every name differs. */
export function vulnerabilities(random: Random): Vulnerability[] {
  return Array.from({ length: VULNERABILITY_COUNT }, (_, i) => {
    const product = random.pick(PRODUCTS);
    const [weakness, attack, technique] = random.pick(WEAKNESSES);
    const place = random.pick(PLACES);
    const cve = `CVE-${random.integer(2017, 2026)}-${10_000 + i}`;
    return {
      cve,
      product,
      title: `${product} ${weakness} in the ${place} (${cve})`,
      description:
        `A ${weakness} in the ${place} of ${product} lets attackers who can reach it ` +
        `${random.pick(CONSEQUENCES)}. Versions before the fixed one are affected in their default configuration.`,
      vector: `CVSS:3.1/AV:${random.pick(['N', 'L', 'A'])}/AC:${random.pick(['L', 'H'])}/PR:${random.pick(['N', 'L'])}/UI:N/S:U/C:H/I:H/A:H`,
      score: random.integer(31, 98) / 10,
      attack,
      technique,
      fixedIn: `${random.integer(1, 12)}.${random.integer(0, 30)}.${random.integer(0, 20)}`,
    };
  });
}
