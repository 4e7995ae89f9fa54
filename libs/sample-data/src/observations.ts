import type { Software } from './software.ts';

/** What other teams report about a machine: penetration tests (type finding) and operations (type others). */
export interface Observation {
  type: 'finding' | 'others';
  source: string;
  name: string;
  on: Software[];
  value: number;
  technique: string | null;
  /** Chance that a well-kept machine has it; a forgotten one has it for certain. */
  rarity: number;
  observed: string;
  remediation: string;
}

const SERVERS: Software[] = ['windows-server', 'openssl', 'active-directory', 'esxi'];
const NETWORK: Software[] = ['ios-xe', 'nx-os', 'asa', 'fortios', 'pan-os', 'vcenter'];

export const OBSERVATIONS: Observation[] = [
  {
    type: 'finding',
    source: 'penetration-test',
    name: 'Management interface accepts the default password',
    on: NETWORK,
    value: 9.1,
    technique: 'T1078.001',
    rarity: 0.02,
    observed: 'Signed in with the password of the manual',
    remediation: 'Change the password and restrict the interface to the management network',
  },
  {
    type: 'finding',
    source: 'penetration-test',
    name: 'Local administrator password is shared between machines',
    on: ['windows-server', 'windows-client'],
    value: 8.0,
    technique: 'T1550.002',
    rarity: 0.02,
    observed: 'One hash opened several machines',
    remediation: 'Deploy Windows LAPS',
  },
  {
    type: 'finding',
    source: 'penetration-test',
    name: 'Share with personal data is readable by everyone',
    on: ['windows-server'],
    value: 6.5,
    technique: 'T1039',
    rarity: 0.03,
    observed: 'Payroll exports in a share that needs no sign-in',
    remediation: 'Restrict the share to its department',
  },
  {
    type: 'finding',
    source: 'penetration-test',
    name: 'Deployment keys lie in a world-readable file',
    on: ['ci', 'containers'],
    value: 7.7,
    technique: 'T1552.001',
    rarity: 0.05,
    observed: 'A private key in a home directory',
    remediation: 'Move the keys to the secret store and renew them',
  },
  {
    type: 'others',
    source: 'backup-monitor',
    name: 'Last backup is older than a week',
    on: SERVERS,
    value: 5.5,
    technique: null,
    rarity: 0.05,
    observed: 'Last success 11 days ago',
    remediation: 'Repair the backup job',
  },
  {
    type: 'others',
    source: 'certificate-monitor',
    name: 'Certificate expires within 14 days',
    on: ['tls'],
    value: 4.0,
    technique: null,
    rarity: 0.1,
    observed: 'Expires in 9 days',
    remediation: 'Renew the certificate',
  },
  {
    type: 'others',
    source: 'log-monitor',
    name: 'Machine stopped forwarding logs',
    on: [...SERVERS, ...NETWORK],
    value: 4.6,
    technique: 'T1562.008',
    rarity: 0.04,
    observed: 'No event for 3 days',
    remediation: 'Restart the log forwarder',
  },
  {
    type: 'others',
    source: 'asset-management',
    name: 'Operating system is out of support',
    on: ['windows-server-2008-r2', 'centos-6'],
    value: 8.5,
    technique: null,
    rarity: 1,
    observed: 'No security updates from the vendor',
    remediation: 'Replace or isolate the machine',
  },
];
