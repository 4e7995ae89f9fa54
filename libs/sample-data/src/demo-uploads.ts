import { attackTechnique } from '#libs/catalogue';
import { entityKey, isoTime } from '#libs/domain';
import { type Machine, machines, type User, users } from './entities.ts';
import { type DemoFinding, type Instance, machineFindings, statusOf, userFindings } from './findings.ts';
import { deltaFindings, rescanFindings, userDeltaFindings } from './next-day.ts';
import { createRandom, type Random } from './random.ts';
import type { SampleSignal } from './sample-signal.ts';
import { severityLevel } from './severity-level.ts';

export interface DemoSize {
  seed: string;
  machines: number;
  users: number;
  /** Midnight UTC of the second day, epoch ms. */
  secondDay: number;
}

export interface DemoSignal extends SampleSignal {
  entityKey: string;
}

/** Uploads of the demo in their order; `signals` answers those of one entity after another. */
export interface DemoUpload {
  title: string;
  file: string;
  config: Record<string, unknown> | null;
  signals: () => Generator<DemoSignal[]>;
}

const DAY_MS = 86_400_000;

/** One of this number of machines is scanned again on the second day, and its va assessment replaced. */
const RESCANNED_ONE_OF = 60;

/** The two days of the organization. The same size and seed give the same bytes. */
export function demoUploads(size: DemoSize): DemoUpload[] {
  const firstDay = size.secondDay - DAY_MS;
  return [
    { title: 'first full upload', file: 'day1', config: null, signals: () => dayOne(size, firstDay) },
    { title: 'delta of the second day', file: 'day2', config: null, signals: () => dayTwo(size) },
    {
      title: 'new scans that replace the old',
      file: 'day2-rescan',
      config: { fullAssessmentForTypes: ['va'] },
      signals: () => rescan(size),
    },
  ];
}

const isRescanned = (index: number) => index % RESCANNED_ONE_OF === 7;

const streamOf = ({ seed }: DemoSize, what: string, index: number) =>
  createRandom(`${seed}/${what}/${index}`);

function* dayOne(size: DemoSize, day: number): Generator<DemoSignal[]> {
  for (const { machine, index, before } of machinesOfDayOne(size)) {
    yield write(machine, before, day, streamOf(size, 'day1/machine', index));
  }
  for (const { user, index, before } of usersOfDayOne(size)) {
    yield write(user, before, day, streamOf(size, 'day1/user', index));
  }
}

function* dayTwo(size: DemoSize): Generator<DemoSignal[]> {
  for (const { machine, index, before } of machinesOfDayOne(size)) {
    const random = streamOf(size, 'day2/machine', index);
    const delta = isRescanned(index) ? [] : deltaFindings(machine, before, random);
    yield write(machine, delta, size.secondDay, random);
  }
  for (const { user, index, before } of usersOfDayOne(size)) {
    const random = streamOf(size, 'day2/user', index);
    yield write(user, userDeltaFindings(before, random), size.secondDay, random);
  }
}

function* rescan(size: DemoSize): Generator<DemoSignal[]> {
  for (const { machine, index, before } of machinesOfDayOne(size)) {
    if (!isRescanned(index)) continue;
    const random = streamOf(size, 'rescan/machine', index);
    yield write(machine, rescanFindings(before, random), size.secondDay, random);
  }
}

/** With what the tools say of them on the first day. */
export function* machinesOfDayOne(size: DemoSize) {
  let index = 0;
  for (const machine of machines(size.seed, size.machines)) {
    yield { machine, index, before: machineFindings(machine, streamOf(size, 'findings/machine', index)) };
    index++;
  }
}

/** As `machinesOfDayOne`. */
export function* usersOfDayOne(size: DemoSize) {
  let index = 0;
  for (const user of users(size.seed, size.users)) {
    yield { user, index, before: userFindings(user, streamOf(size, 'findings/user', index)) };
    index++;
  }
}

/** The findings of one entity as signals of a scan on a day. */
export function write(
  entity: Machine | User,
  findings: DemoFinding[],
  day: number,
  random: Random,
): DemoSignal[] {
  return findings.map((finding, index) => {
    const signal = toSignal(entity, finding, day, random);
    return {
      entryName: `${entity.name}/${String(index + 1).padStart(3, '0')}-${finding.type}.json`,
      entityKey: entityKey(entity.kind, entity.name),
      content: Buffer.from(JSON.stringify(signal, null, 1)),
    };
  });
}

/** The fields of a signal. Scans run in the first hours of the day. */
function toSignal(entity: Machine | User, finding: DemoFinding, day: number, random: Random) {
  const scannedAt = day + random.integer(0, 4 * 3_600_000);
  return {
    version: '1.0',
    id: random.uuid(),
    type: 'default',
    name: finding.name,
    description: finding.description,
    source: { name: finding.source, nextSubmissionIntervalInMins: 1440 },
    entity: entity.kind === 'machine' ? machineEntity(entity) : userEntity(entity),
    ...securityContexts(finding),
    firstSeen: isoTime(day - finding.firstSeenDaysAgo * DAY_MS),
    lastSeen: isoTime(scannedAt),
    createdAt: isoTime(scannedAt),
    ...(finding.expiresInDays !== null && { expiresAt: isoTime(day + finding.expiresInDays * DAY_MS) }),
  };
}

function machineEntity(machine: Machine) {
  return {
    type: 'machine',
    name: machine.name,
    entityAttributes: {
      ipAddresses: [{ name: 'Ip', ipv4: machine.ip }],
      type: machine.os,
      criticality: machine.criticality,
      confidentialityRequirement: machine.confidentiality,
      integrityRequirement: machine.integrity,
      availabilityRequirement: machine.availability,
      tags: { location: [machine.location], dept: [machine.department], os: [machine.os] },
    },
  };
}

function userEntity(user: User) {
  const tags = { location: [user.location], dept: [user.department], designationName: [user.title] };
  return {
    type: 'user',
    name: user.name,
    entityAttributes: { type: 'User', criticality: user.privileged ? 'high' : 'medium', tags },
  };
}

/** Singular for one statement, plural if instances have separate statuses (R-FIND-5). */
function securityContexts(finding: DemoFinding) {
  const common = {
    type: finding.type,
    ...(finding.subType && { subType: finding.subType }),
    severity: severityOf(finding),
    ...mappingsOf(finding),
    controlType: 'detection',
    ...(finding.remediation && { remediation: { description: finding.remediation } }),
  };
  if (finding.shape === 'each') {
    return {
      securityContexts: finding.instances.map((instance) => ({ ...common, ...instanceOf(instance) })),
    };
  }
  const services = finding.instances.flatMap(({ service }) => service ?? []);
  return {
    securityContext: {
      ...common,
      status: { complianceStatus: statusOf(finding) },
      evidence: { observationText: finding.instances[0]!.observed },
    },
    ...(services.length > 0 && {
      tags: {
        port: services.map(({ port }) => String(port)),
        protocol: [services[0]!.protocol],
      },
    }),
  };
}

function instanceOf({ status, observed, service, detection }: Instance) {
  return {
    ...(detection
      ? { status: { complianceStatus: status, workflowStatus: detection.workflowStatus } }
      : { complianceStatus: { status: status === 'fail' ? 'Failed' : 'Qualified' } }),
    evidence: { observationText: observed },
    tags: {
      ...(service && { port: [String(service.port)], protocol: [service.protocol] }),
      ...(detection && { detectionId: [detection.id] }),
    },
  };
}

function severityOf({ severity }: DemoFinding) {
  switch (severity.kind) {
    case 'cvss': {
      const { value, vector } = severity;
      return {
        type: 'cvss',
        value,
        level: severityLevel(value),
        cvss: { version: '3.1', vector, baseScore: value },
      };
    }
    case 'ccss':
      return { type: 'ccss', value: severity.value, level: severityLevel(severity.value) };
    case 'custom':
      return { type: 'custom', level: severity.level };
  }
}

const mappingsOf = ({ cve, technique }: DemoFinding) => ({
  ...(cve && { standardsMapping: [{ name: 'cve', value: cve }] }),
  ...(technique && { attackPattern: [attackPatternOf(technique)] }),
});

function attackPatternOf(techniqueId: string) {
  const techniqueName = attackTechnique(techniqueId)!.name;
  return { name: techniqueName, sourceName: 'ATT&CK', mapping: { techniqueName, techniqueId } };
}
