import { createRandom, type Random } from './random.ts';
import type { Software } from './software.ts';

/** The demo's organization: a maker of measuring instruments. `.example` is reserved (RFC 2606). */
const DOMAIN = 'halden.example';

type Requirement = 'high' | 'medium' | 'low';

export interface Service {
  port: number;
  protocol: 'tcp' | 'udp';
  name: string;
}

export interface Machine {
  kind: 'machine';
  name: string;
  role: string;
  os: string;
  ip: string;
  department: string;
  location: string;
  criticality: 'critical' | Requirement;
  confidentiality: Requirement;
  integrity: Requirement;
  availability: Requirement;
  software: Software[];
  services: Service[];
  /** Runs an endpoint agent. */
  hasAgent: boolean;
  /** 0 well kept … 1 forgotten; most are well kept, a few are not. */
  neglect: number;
}

export interface User {
  kind: 'user';
  name: string;
  department: string;
  location: string;
  title: string;
  privileged: boolean;
  neglect: number;
}

interface Role {
  role: string;
  prefix: string;
  /** Share of all machines, in thousandths; the last role gets the rest. */
  perMille: number;
  systems: { os: string; software: Software[] }[];
  software: Software[];
  services: Service[];
  departments: string[];
  criticality: Machine['criticality'];
  cia: [confidentiality: Requirement, integrity: Requirement, availability: Requirement];
  hasAgent: boolean;
  /** Addresses of the perimeter are from the documentation range (RFC 5737). */
  exposed: boolean;
}

export const LOCATIONS = ['Oslo', 'Hamburg', 'Lyon', 'Pune', 'Denver'];
export const DEPARTMENTS = [
  'Finance',
  'Engineering',
  'Sales',
  'Operations',
  'Human Resources',
  'Research',
  'Support',
];

const tcp = (port: number, name: string): Service => ({ port, protocol: 'tcp', name });
const HTTP = tcp(80, 'http');
const HTTPS = tcp(443, 'https');
const SSH = tcp(22, 'ssh');
const RDP = tcp(3389, 'rdp');

const windowsServer = (year: string) => ({
  os: `Windows Server ${year}`,
  software: ['windows', 'windows-server'] satisfies Software[],
});
const linux = (os: string) => ({ os, software: ['linux', 'openssh', 'openssl'] satisfies Software[] });

const UBUNTU = [linux('Ubuntu 22.04'), linux('Ubuntu 20.04')];
const LINUX_SERVERS = [...UBUNTU, linux('Red Hat Enterprise Linux 8'), linux('Debian 12')];

const ROLES: Role[] = [
  {
    role: 'domain controller',
    prefix: 'dc',
    perMille: 20,
    systems: [windowsServer('2019'), windowsServer('2016')],
    software: ['active-directory'],
    services: [tcp(53, 'domain'), tcp(88, 'kerberos'), tcp(389, 'ldap'), tcp(636, 'ldaps'), RDP],
    departments: ['Operations'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'web server',
    prefix: 'web',
    perMille: 70,
    systems: LINUX_SERVERS,
    software: ['nginx', 'apache', 'php', 'tls'],
    services: [HTTP, HTTPS, tcp(8443, 'https-alt'), SSH],
    departments: ['Sales', 'Support'],
    criticality: 'high',
    cia: ['medium', 'high', 'high'],
    hasAgent: true,
    exposed: true,
  },
  {
    role: 'application server',
    prefix: 'app',
    perMille: 60,
    systems: LINUX_SERVERS,
    software: ['tomcat', 'java-app', 'tls'],
    services: [tcp(8080, 'http-proxy'), tcp(8443, 'https-alt'), SSH],
    departments: ['Engineering', 'Finance', 'Research'],
    criticality: 'high',
    cia: ['high', 'high', 'medium'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'integration server',
    prefix: 'esb',
    perMille: 10,
    systems: [linux('Oracle Linux 8')],
    software: ['weblogic', 'java-app', 'tls'],
    services: [tcp(7001, 'weblogic'), tcp(7002, 'weblogic-tls'), SSH],
    departments: ['Operations'],
    criticality: 'high',
    cia: ['high', 'high', 'high'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'postgresql database',
    prefix: 'pg',
    perMille: 35,
    systems: LINUX_SERVERS,
    software: ['postgresql'],
    services: [tcp(5432, 'postgresql'), SSH],
    departments: ['Engineering', 'Research'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'mysql database',
    prefix: 'my',
    perMille: 20,
    systems: LINUX_SERVERS,
    software: ['mysql'],
    services: [tcp(3306, 'mysql'), SSH],
    departments: ['Sales', 'Support'],
    criticality: 'high',
    cia: ['high', 'high', 'medium'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'sql server',
    prefix: 'sql',
    perMille: 25,
    systems: [windowsServer('2019'), windowsServer('2016')],
    software: ['sql-server'],
    services: [tcp(1433, 'ms-sql-s'), RDP],
    departments: ['Finance', 'Human Resources'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'mail server',
    prefix: 'mail',
    perMille: 10,
    systems: [windowsServer('2019')],
    software: ['exchange', 'tls'],
    services: [tcp(25, 'smtp'), HTTPS, tcp(587, 'submission')],
    departments: ['Operations'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: true,
    exposed: true,
  },
  {
    role: 'intranet',
    prefix: 'portal',
    perMille: 10,
    systems: [windowsServer('2019'), windowsServer('2022')],
    software: ['sharepoint', 'tls'],
    services: [HTTPS, RDP],
    departments: ['Human Resources'],
    criticality: 'high',
    cia: ['high', 'medium', 'medium'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'file server',
    prefix: 'fs',
    perMille: 30,
    systems: [windowsServer('2022'), windowsServer('2019')],
    software: [],
    services: [tcp(445, 'microsoft-ds'), RDP],
    departments: DEPARTMENTS,
    criticality: 'high',
    cia: ['high', 'high', 'medium'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'wiki',
    prefix: 'wiki',
    perMille: 7,
    systems: UBUNTU,
    software: ['confluence', 'tls'],
    services: [HTTPS, tcp(8090, 'confluence'), SSH],
    departments: ['Engineering'],
    criticality: 'medium',
    cia: ['medium', 'medium', 'low'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'build server',
    prefix: 'ci',
    perMille: 25,
    systems: UBUNTU,
    software: ['ci', 'containers', 'tls'],
    services: [HTTPS, tcp(8080, 'http-proxy'), SSH],
    departments: ['Engineering'],
    criticality: 'high',
    cia: ['high', 'high', 'medium'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'container host',
    prefix: 'node',
    perMille: 50,
    systems: UBUNTU,
    software: ['containers', 'redis'],
    services: [tcp(6443, 'kubernetes'), tcp(10250, 'kubelet'), SSH],
    departments: ['Engineering'],
    criticality: 'high',
    cia: ['medium', 'high', 'high'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'hypervisor',
    prefix: 'esx',
    perMille: 25,
    systems: [{ os: 'VMware ESXi 7.0', software: ['esxi'] }],
    software: [],
    services: [HTTPS, tcp(427, 'svrloc'), SSH],
    departments: ['Operations'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: false,
    exposed: false,
  },
  {
    role: 'virtualization manager',
    prefix: 'vcenter',
    perMille: 7,
    systems: [{ os: 'VMware Photon OS 3.0', software: ['vcenter', 'openssh'] }],
    software: ['tls'],
    services: [HTTPS, SSH],
    departments: ['Operations'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: false,
    exposed: false,
  },
  {
    role: 'backup server',
    prefix: 'backup',
    perMille: 10,
    systems: [windowsServer('2022'), windowsServer('2019')],
    software: ['backup'],
    services: [tcp(9401, 'veeam'), RDP],
    departments: ['Operations'],
    criticality: 'critical',
    cia: ['high', 'high', 'medium'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'file transfer gateway',
    prefix: 'mft',
    perMille: 4,
    systems: [windowsServer('2019')],
    software: ['managed-file-transfer', 'tls'],
    services: [HTTPS, SSH],
    departments: ['Finance'],
    criticality: 'high',
    cia: ['high', 'high', 'medium'],
    hasAgent: true,
    exposed: true,
  },
  {
    role: 'core switch',
    prefix: 'sw',
    perMille: 40,
    systems: [
      { os: 'Cisco IOS XE 17.6', software: ['ios-xe'] },
      { os: 'Cisco NX-OS 9.3', software: ['nx-os'] },
    ],
    software: [],
    services: [SSH, HTTPS, { port: 161, protocol: 'udp', name: 'snmp' }],
    departments: ['Operations'],
    criticality: 'high',
    cia: ['low', 'high', 'high'],
    hasAgent: false,
    exposed: false,
  },
  {
    role: 'firewall',
    prefix: 'fw',
    perMille: 22,
    systems: [
      { os: 'FortiOS 7.0', software: ['fortios'] },
      { os: 'PAN-OS 10.2', software: ['pan-os'] },
      { os: 'Cisco ASA 9.16', software: ['asa'] },
    ],
    software: ['tls'],
    services: [HTTPS, SSH, tcp(10443, 'ssl-vpn')],
    departments: ['Operations'],
    criticality: 'critical',
    cia: ['high', 'high', 'high'],
    hasAgent: false,
    exposed: true,
  },
  {
    role: 'legacy line control',
    prefix: 'line',
    perMille: 20,
    systems: [
      { os: 'Windows Server 2008 R2', software: ['windows-server-2008-r2'] },
      { os: 'CentOS 6', software: ['centos-6'] },
    ],
    software: [],
    services: [HTTP, RDP],
    departments: ['Operations'],
    criticality: 'high',
    cia: ['low', 'high', 'high'],
    hasAgent: false,
    exposed: false,
  },
  {
    role: 'mac laptop',
    prefix: 'mac',
    perMille: 110,
    systems: [
      { os: 'macOS 14', software: ['macos'] },
      { os: 'macOS 13', software: ['macos'] },
    ],
    software: ['chrome', 'firefox'],
    services: [],
    departments: ['Engineering', 'Research', 'Sales'],
    criticality: 'medium',
    cia: ['medium', 'medium', 'low'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'linux workstation',
    prefix: 'ws',
    perMille: 60,
    systems: [linux('Ubuntu 22.04'), linux('Fedora Linux 40')],
    software: ['chrome', 'firefox'],
    services: [SSH],
    departments: ['Research', 'Engineering'],
    criticality: 'medium',
    cia: ['medium', 'medium', 'low'],
    hasAgent: true,
    exposed: false,
  },
  {
    role: 'windows laptop',
    prefix: 'lt',
    perMille: 330,
    systems: [
      { os: 'Windows 11', software: ['windows', 'windows-client'] },
      { os: 'Windows 10', software: ['windows', 'windows-client'] },
    ],
    software: ['office', 'chrome', 'archiver', 'pdf-reader'],
    services: [],
    departments: DEPARTMENTS,
    criticality: 'low',
    cia: ['medium', 'low', 'low'],
    hasAgent: true,
    exposed: false,
  },
];

/** Roles of `count` machines, each at its share; small organizations have at least the first roles. */
function rolesOf(count: number): Role[] {
  const roles = ROLES.flatMap((role) =>
    Array<Role>(Math.max(1, Math.round((role.perMille * count) / 1000))).fill(role),
  );
  const rest = Array<Role>(Math.max(0, count - roles.length)).fill(ROLES.at(-1)!);
  return [...roles, ...rest].slice(0, count);
}

/** The machines, each made as it is requested, so that any number takes little memory. */
export function* machines(seed: string, count: number): Generator<Machine> {
  const ordinals = new Map<string, number>();
  for (const [index, role] of rolesOf(count).entries()) {
    const ordinal = (ordinals.get(role.prefix) ?? 0) + 1;
    ordinals.set(role.prefix, ordinal);
    yield machine(createRandom(`${seed}/machine/${index}`), role, ordinal, index);
  }
}

function machine(random: Random, role: Role, ordinal: number, index: number): Machine {
  const system = random.pick(role.systems);
  const [confidentiality, integrity, availability] = role.cia;
  return {
    kind: 'machine',
    name: `${role.prefix}${String(ordinal).padStart(2, '0')}.${DOMAIN}`,
    role: role.role,
    os: system.os,
    ip: addressOf(index, role.exposed),
    department: random.pick(role.departments),
    location: random.pick(LOCATIONS),
    criticality: role.criticality,
    confidentiality,
    integrity,
    availability,
    software: [...system.software, ...role.software],
    services: role.services,
    hasAgent: role.hasAgent,
    neglect: random.next() ** 3,
  };
}

const HOSTS_PER_SUBNET = 254;

/** Exposed machines share one documentation range; the others are unique up to 16 million. */
function addressOf(index: number, exposed: boolean): string {
  const host = 1 + (index % HOSTS_PER_SUBNET);
  const subnet = Math.floor(index / HOSTS_PER_SUBNET);
  return exposed ? `203.0.113.${host}` : `10.${(subnet >> 8) & 255}.${subnet & 255}.${host}`;
}

const FIRST_NAMES = [
  'Ana',
  'Bjorn',
  'Chitra',
  'David',
  'Elif',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kavya',
  'Lars',
  'Mira',
  'Noah',
  'Olga',
  'Pierre',
  'Quinn',
  'Rosa',
  'Sven',
  'Tara',
];
const LAST_NAMES = [
  'Aas',
  'Bauer',
  'Costa',
  'Dubois',
  'Eide',
  'Fischer',
  'Gupta',
  'Hansen',
  'Iyer',
  'Jensen',
  'Keller',
  'Lund',
  'Moreau',
  'Nair',
];
const TITLES = ['Engineer', 'Accountant', 'Sales Manager', 'Technician', 'Researcher', 'Recruiter'];

/** The users, likewise. */
export function* users(seed: string, count: number): Generator<User> {
  for (let index = 0; index < count; index++) yield user(createRandom(`${seed}/user/${index}`), index);
}

function user(random: Random, index: number): User {
  const first = FIRST_NAMES[index % FIRST_NAMES.length]!;
  const last = LAST_NAMES[(index * 3 + Math.floor(index / FIRST_NAMES.length)) % LAST_NAMES.length]!;
  const again = Math.floor(index / (FIRST_NAMES.length * LAST_NAMES.length));
  const privileged = random.chance(0.15);
  return {
    kind: 'user',
    name: `${first}.${last}${again || ''}@${DOMAIN}`.toLowerCase(),
    department: privileged ? 'Operations' : random.pick(DEPARTMENTS),
    location: random.pick(LOCATIONS),
    title: privileged ? 'Administrator' : random.pick(TITLES),
    privileged,
    neglect: random.next() ** 2,
  };
}
