import type { Software } from './software.ts';

/** Possible reports of an endpoint agent; several detections are the instances of one finding. */
export interface DetectionKind {
  name: string;
  description: string;
  on: Software[];
  level: 'critical' | 'high' | 'medium' | 'low';
  technique: string;
  process: string;
}

const WINDOWS: Software[] = ['windows'];
const LINUX: Software[] = ['linux'];
const MACOS: Software[] = ['macos'];

export const DETECTION_KINDS: DetectionKind[] = [
  {
    name: 'CredentialDumpingLsass',
    description: 'A process read the memory of LSASS to obtain credentials.',
    on: WINDOWS,
    level: 'critical',
    technique: 'T1003.001',
    process: 'C:\\Windows\\Temp\\pd64.exe -ma lsass.exe',
  },
  {
    name: 'SuspiciousPowerShell',
    description: 'PowerShell ran an encoded command that downloads and runs a script.',
    on: WINDOWS,
    level: 'high',
    technique: 'T1059.001',
    process: 'powershell.exe -nop -w hidden -enc',
  },
  {
    name: 'RansomwareBehaviour',
    description: 'A process changed many files in a short time and deleted shadow copies.',
    on: WINDOWS,
    level: 'critical',
    technique: 'T1486',
    process: 'vssadmin.exe delete shadows /all /quiet',
  },
  {
    name: 'ScheduledTaskPersistence',
    description: 'A scheduled task was made that starts a program from a temporary folder.',
    on: WINDOWS,
    level: 'medium',
    technique: 'T1053.005',
    process: 'schtasks.exe /create /sc onlogon',
  },
  {
    name: 'MaliciousDocument',
    description: 'An Office program started a command interpreter.',
    on: ['windows-client'],
    level: 'high',
    technique: 'T1204.002',
    process: 'winword.exe > cmd.exe',
  },
  {
    name: 'DefenceTampering',
    description: 'A process tried to stop the endpoint agent.',
    on: WINDOWS,
    level: 'high',
    technique: 'T1562.001',
    process: 'sc.exe stop EndpointAgent',
  },
  {
    name: 'LateralMovementRdp',
    description: 'Remote Desktop sessions went from one machine to many.',
    on: ['windows-server'],
    level: 'high',
    technique: 'T1021.001',
    process: 'mstsc.exe',
  },
  {
    name: 'KerberosTicketRequests',
    description: 'One account requested service tickets for many services.',
    on: ['active-directory'],
    level: 'high',
    technique: 'T1558.003',
    process: 'lsass.exe',
  },
  {
    name: 'WebShellActivity',
    description: 'A web server process started a shell.',
    on: ['php', 'tomcat', 'sharepoint'],
    level: 'critical',
    technique: 'T1505.003',
    process: 'sh -c id; uname -a',
  },
  {
    name: 'CryptoMiner',
    description: 'A process with the traits of a cryptocurrency miner uses the processor.',
    on: [...LINUX, 'containers'],
    level: 'medium',
    technique: 'T1496',
    process: '/tmp/.x/kworkerds -o stratum+tcp',
  },
  {
    name: 'SuspiciousCronJob',
    description: 'A cron job fetches and runs a script.',
    on: LINUX,
    level: 'medium',
    technique: 'T1053.003',
    process: '/bin/sh -c curl | sh',
  },
  {
    name: 'SshBruteForce',
    description: 'Many SSH sign-ins failed before one succeeded.',
    on: ['openssh'],
    level: 'medium',
    technique: 'T1110.001',
    process: '/usr/sbin/sshd',
  },
  {
    name: 'LaunchAgentPersistence',
    description: 'A launch agent was made that starts an unsigned program.',
    on: MACOS,
    level: 'medium',
    technique: 'T1543.001',
    process: '~/Library/LaunchAgents/com.update.plist',
  },
  {
    name: 'KeychainAccess',
    description: 'A process tried to read the keychain.',
    on: MACOS,
    level: 'high',
    technique: 'T1555.001',
    process: '/usr/bin/security dump-keychain',
  },
];

/** Workflow states of a detection as the EDR platform names them. */
const WORKFLOW_STATUSES = ['new', 'in progress', 'true positive', 'ignored', 'reopened', 'closed'] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/** Attacks that a web application firewall saw on a server. */
export interface WebAttack {
  name: string;
  value: number;
  technique: string;
  observed: string;
}

export const WEB_ATTACKS: WebAttack[] = [
  {
    name: 'SQL injection attempts reached the application',
    value: 8.2,
    technique: 'T1190',
    observed: 'requests with UNION SELECT answered with 200',
  },
  {
    name: 'Cross-site scripting attempts reached the application',
    value: 6.1,
    technique: 'T1059.007',
    observed: 'requests with script tags answered with 200',
  },
  {
    name: 'Credential stuffing on the sign-in page',
    value: 7.2,
    technique: 'T1110.004',
    observed: 'failed sign-ins from many addresses',
  },
  {
    name: 'Vulnerability scanning from one network',
    value: 3.9,
    technique: 'T1595.002',
    observed: 'requests for known vulnerable paths',
  },
  {
    name: 'Path traversal attempts reached the application',
    value: 7.0,
    technique: 'T1190',
    observed: 'requests with ../ answered with 200',
  },
];
