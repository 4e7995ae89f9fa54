import type { FindingType } from '#libs/domain';
import { ACCOUNT_CONTROLS, CONTROLS, type Control } from './controls.ts';
import { DETECTION_KINDS, type DetectionKind, WEB_ATTACKS, type WorkflowStatus } from './detections.ts';
import type { Machine, Service, User } from './entities.ts';
import { OBSERVATIONS } from './observations.ts';
import type { Random } from './random.ts';
import type { Software } from './software.ts';
import { TLS_VULNERABILITIES, VULNERABILITIES, type Vulnerability } from './vulnerabilities.ts';

export interface Instance {
  status: 'pass' | 'fail';
  observed: string;
  service?: Service;
  detection?: { id: string; workflowStatus: WorkflowStatus };
}

/** The report of one tool about one entity, before it is written as a signal. */
export interface DemoFinding {
  type: FindingType;
  subType?: string;
  source: string;
  name: string;
  description: string;
  severity:
    | { kind: 'cvss'; value: number; vector: string }
    | { kind: 'ccss'; value: number }
    | { kind: 'custom'; level: DetectionKind['level'] };
  cve?: string;
  technique: string | null;
  remediation: string | null;
  /** `whole`: one statement about the finding, with the ports that it concerns; `each`: one status per instance. */
  shape: 'whole' | 'each';
  instances: Instance[];
  firstSeenDaysAgo: number;
  /** Days from the scan to the sender's own expiry; null: the service's retirement policy decides. */
  expiresInDays: number | null;
}

/** How likely something bad is on a machine of that neglect. */
const likely = (best: number, worst: number, neglect: number) => best + (worst - best) * neglect;

const runsAny = (machine: Machine, software: Software[]) =>
  software.some((each) => machine.software.includes(each));

export const statusOf = (finding: DemoFinding): 'pass' | 'fail' =>
  finding.instances.some(({ status }) => status === 'fail') ? 'fail' : 'pass';

/** Everything that the tools say about a machine on the first day. */
export function machineFindings(machine: Machine, random: Random): DemoFinding[] {
  return [
    ...vulnerabilityFindings(machine, random),
    ...tlsFindings(machine, random),
    ...controlFindings(machine, random),
    ...detectionFindings(machine, random, likely(0.03, 0.5, machine.neglect)),
    ...webFindings(machine, random),
    ...observationFindings(machine, random),
  ];
}

export const applicableVulnerabilities = (machine: Machine): Vulnerability[] =>
  VULNERABILITIES.filter(({ hits }) => runsAny(machine, hits));

function vulnerabilityFindings(machine: Machine, random: Random): DemoFinding[] {
  const presence = likely(0.05, 0.85, machine.neglect);
  return applicableVulnerabilities(machine)
    .filter(() => random.chance(presence))
    .map((vulnerability) => vulnerabilityFinding(machine, vulnerability, random));
}

const STALE_SHARE = 0.002;

export function vulnerabilityFinding(
  machine: Machine,
  vulnerability: Vulnerability,
  random: Random,
): DemoFinding {
  const services = servicesOf(machine, vulnerability.hits);
  const observed = `${vulnerability.cve} applies to the installed version on ${machine.os}`;
  const fixed = random.chance(0.06);
  const status = fixed ? 'pass' : 'fail';
  return {
    ...fromVulnerability(vulnerability, random),
    shape: 'whole',
    instances:
      services.length > 0
        ? services.map((service) => ({ status, observed, service }))
        : [{ status, observed }],
    expiresInDays: random.chance(STALE_SHARE) ? -1 : null,
  };
}

function fromVulnerability(
  { cve, name, vector, baseScore, technique, remediation }: Vulnerability,
  random: Random,
) {
  return {
    type: 'va' as const,
    source: 'vulnerability-scanner',
    name,
    description: `${name} (${cve}).`,
    severity: { kind: 'cvss' as const, value: baseScore, vector },
    cve,
    technique,
    remediation,
    firstSeenDaysAgo: random.integer(1, 300),
  };
}

/** Services of a vulnerable program; none for local findings. */
const SERVICE_NAMES: Partial<Record<Software, string[]>> = {
  'active-directory': ['ldap', 'ldaps'],
  'windows-server-2008-r2': ['rdp'],
  openssh: ['ssh'],
  apache: ['http', 'https'],
  nginx: ['https'],
  php: ['https'],
  tomcat: ['http-proxy', 'https-alt'],
  'java-app': ['http-proxy', 'https-alt'],
  weblogic: ['weblogic', 'weblogic-tls'],
  confluence: ['confluence'],
  exchange: ['https'],
  sharepoint: ['https'],
  postgresql: ['postgresql'],
  mysql: ['mysql'],
  'sql-server': ['ms-sql-s'],
  vcenter: ['https'],
  esxi: ['svrloc'],
  backup: ['veeam'],
  'managed-file-transfer': ['https'],
  'ios-xe': ['https'],
  asa: ['https'],
  fortios: ['ssl-vpn'],
  'pan-os': ['https'],
};

const servicesOf = (machine: Machine, hits: Software[]): Service[] => {
  const names = hits.flatMap((software) => SERVICE_NAMES[software] ?? []);
  return machine.services.filter(({ name }) => names.includes(name));
};

const TLS_SERVICES = ['https', 'https-alt', 'ssl-vpn', 'weblogic-tls', 'submission'];

function tlsFindings(machine: Machine, random: Random): DemoFinding[] {
  const services = machine.services.filter(({ name }) => TLS_SERVICES.includes(name));
  if (!machine.software.includes('tls') || services.length === 0) return [];
  return TLS_VULNERABILITIES.filter(() => random.chance(likely(0.15, 0.9, machine.neglect))).map(
    (vulnerability) => ({
      ...fromVulnerability(vulnerability, random),
      shape: 'each' as const,
      instances: services.map((service, index) => ({
        status: index === 0 || random.chance(0.4) ? ('fail' as const) : ('pass' as const),
        observed: `Handshake on port ${service.port}`,
        service,
      })),
      expiresInDays: null,
    }),
  );
}

function controlFindings(machine: Machine, random: Random): DemoFinding[] {
  return CONTROLS.filter(({ on }) => runsAny(machine, on)).map((control) => {
    const status = random.chance(likely(0.07, 0.75, machine.neglect)) ? 'fail' : 'pass';
    return controlFinding(control, status, random);
  });
}

function controlFinding(control: Control, status: 'pass' | 'fail', random: Random): DemoFinding {
  const { name, value, technique, expected, remediation } = control;
  return {
    type: 'ca',
    source: 'configuration-auditor',
    name,
    description: `${name}. Expected: ${expected}.`,
    severity: { kind: 'ccss', value },
    technique,
    remediation,
    shape: 'whole',
    instances: [
      { status, observed: status === 'pass' ? `As expected: ${expected}` : `Not as expected: ${expected}` },
    ],
    firstSeenDaysAgo: random.integer(1, 400),
    expiresInDays: null,
  };
}

/** Up to two kinds of detections, each with some instances. */
export function detectionFindings(machine: Machine, random: Random, probability: number): DemoFinding[] {
  if (!machine.hasAgent || !random.chance(probability)) return [];
  const kinds = DETECTION_KINDS.filter(({ on }) => runsAny(machine, on));
  return random.sample(kinds, random.integer(1, 2)).map((kind) => ({
    type: 'edr' as const,
    source: 'endpoint-agent',
    name: kind.name,
    description: kind.description,
    severity: { kind: 'custom' as const, level: kind.level },
    technique: kind.technique,
    remediation: 'Isolate the machine, examine the process tree and remove what it left',
    shape: 'each' as const,
    instances: Array.from({ length: random.integer(1, 4) }, () => detection(kind, random)),
    firstSeenDaysAgo: random.integer(0, 20),
    expiresInDays: null,
  }));
}

function detection(kind: DetectionKind, random: Random): Instance {
  const workflowStatus = random.pick<WorkflowStatus>([
    'new',
    'new',
    'in progress',
    'true positive',
    'closed',
  ]);
  return {
    status: workflowStatus === 'closed' ? 'pass' : 'fail',
    observed: kind.process,
    detection: { id: random.uuid(), workflowStatus },
  };
}

const WAF_EXPIRY_DAYS = 30;

function webFindings(machine: Machine, random: Random): DemoFinding[] {
  const service = machine.services.find(({ name }) => name === 'https');
  if (machine.role !== 'web server' || !service) return [];
  return random.sample(WEB_ATTACKS, random.integer(1, 4)).map(({ name, value, technique, observed }) => ({
    type: 'waf' as const,
    source: 'web-application-firewall',
    name,
    description: `${name}, seen in front of ${machine.name}.`,
    severity: { kind: 'ccss' as const, value },
    technique,
    remediation: 'Switch the rule from logging to blocking',
    shape: 'whole' as const,
    instances: [
      {
        status: random.chance(0.7) ? ('fail' as const) : ('pass' as const),
        observed: `${random.integer(12, 900)} ${observed}`,
        service,
      },
    ],
    firstSeenDaysAgo: random.integer(0, 30),
    expiresInDays: WAF_EXPIRY_DAYS,
  }));
}

function observationFindings(machine: Machine, random: Random): DemoFinding[] {
  return OBSERVATIONS.filter(
    ({ on, rarity }) => runsAny(machine, on) && random.chance(likely(rarity, 1, machine.neglect ** 2)),
  ).map(({ type, source, name, value, technique, observed, remediation }) => ({
    type,
    source,
    name,
    description: `${name}.`,
    severity: { kind: 'ccss' as const, value },
    technique,
    remediation,
    shape: 'whole' as const,
    instances: [{ status: 'fail' as const, observed }],
    firstSeenDaysAgo: random.integer(1, 120),
    expiresInDays: null,
  }));
}

/** Everything that the identity analytics says about a user on the first day. */
export function userFindings(user: User, random: Random): DemoFinding[] {
  return ACCOUNT_CONTROLS.filter(({ privilegedOnly }) => user.privileged || !privilegedOnly).map(
    (control) => {
      const failed = random.chance(likely(0.05, 0.7, user.neglect));
      return {
        type: 'uba' as const,
        subType: control.subType,
        source: 'identity-analytics',
        name: control.name,
        description: `${control.name}.`,
        severity: { kind: 'ccss' as const, value: control.value },
        technique: control.technique,
        remediation: control.remediation,
        shape: 'whole' as const,
        instances: [
          {
            status: failed ? ('fail' as const) : ('pass' as const),
            observed: failed ? control.failing : 'Nothing found',
          },
        ],
        firstSeenDaysAgo: random.integer(1, 200),
        expiresInDays: null,
      };
    },
  );
}
