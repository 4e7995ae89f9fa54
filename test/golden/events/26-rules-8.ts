import { encodeIntake } from '#libs/contracts';
import {
  assetId,
  entityKey,
  type FindingAct,
  findingId,
  type InstanceStatus,
  type IntakeEvent,
  type IntakePayload,
  type Observation,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import {
  described,
  entity,
  event,
  fullAssessment,
  instance,
  observation,
  signal,
  T0,
  upload,
} from '../../support/scenario.ts';

/** Late uploads, lists of trusted sources, bare names and repeated holds, in one partition under rules 7, in the other under 8. */
export function lateUploads(): LogRecord[][] {
  return [7, 8].map((rules) => {
    const events = [
      ...lateInstances(`late-${rules}`, rules),
      ...trustedLists(`listed-${rules}`, rules),
      ...bareName(`bare-${rules}`, rules),
      ...heldAgain(`held-${rules}`, rules),
    ];
    return events.map(({ envelope, payload }, i) => {
      const id = `f6000000-0000-5000-8000-${String(rules * 1_000 + i).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    });
  });
}

let uploads = 0;
/** An upload that replaces the assessment of `va`. */
function replacing(
  host: string,
  rules: number,
  at: number,
  signals: IntakePayload[],
  names = [host],
  matching: 'name' | 'fqdn' = 'name',
): IntakeEvent[] {
  uploads += 1;
  const payloads: IntakePayload[] = [
    ...signals,
    { type: 'AssessmentClosed', types: ['va'], names, matching },
  ];
  const events = upload(uploads, T0 + at, payloads, { entityKey: entityKey('machine', host), rules });
  return fullAssessment(events, signals.length);
}

const observed = (mode: Observation['mode'], statuses: Record<string, InstanceStatus>): Observation[] => [
  observation(
    'va',
    Object.entries(statuses).map(([key, status]) => instance(status, { key })),
    { mode },
  ),
];

/** For each finding, what the upload that was received last says, and what an earlier one says before it is closed. */
function lateInstances(host: string, rules: number): IntakeEvent[] {
  const of = (name: string, observations: Observation[]) =>
    signal(name, 'fail', { entity: entity({ name: host }), observations });
  const newest = replacing(host, rules, 5, [
    of('repeated', observed('whole', { '22/tcp': 'fail', '80/tcp': 'pass' })),
    of('omitted', observed('whole', { '443/tcp': 'fail' })),
    of('other set', observed('whole', { '443/tcp': 'fail' })),
    of('unnamed', observed('whole', { '': 'fail' })),
    of('same', observed('whole', { '443/tcp': 'fail' })),
  ]);
  uploads += 1;
  const late = upload(
    uploads,
    T0 + 1,
    [
      of('repeated', observed('merge', { '22/tcp': 'fail' })),
      of('omitted', observed('whole', { '': 'pass' })),
      of('other set', observed('whole', { '80/tcp': 'pass' })),
      of('unnamed', observed('merge', { '22/tcp': 'pass' })),
      of('same', observed('whole', { '443/tcp': 'pass' })),
    ],
    { entityKey: entityKey('machine', host), rules },
  );
  return [...newest.slice(0, -1), ...late, newest.at(-1)!];
}

/** A list that changes nothing when it arrives, and then the end of the most trusted statement. */
function trustedLists(host: string, rules: number): IntakeEvent[] {
  const devices = [
    ['edr', 'e1', 'Pune'],
    ['cmdb', 'c1', 'Mumbai'],
    ['scanner', 's1', 'Oslo'],
  ] as const;
  const key = { entityKey: entityKey('machine', host), rules };
  const listing = (at: number, settingsVersion: number, trustedSources: string[]) =>
    devices.flatMap(([name, deviceId, location], i) => {
      uploads += 1;
      const said = described({
        entity: entity({ name: host, location }),
        source: { name, nextSubmissionIntervalInMins: null },
        deviceId,
        trustedSources,
      });
      return upload(uploads, T0 + at + i, [said], { ...key, settingsVersion });
    });
  const ended: IntakePayload = {
    type: 'StatementEnded',
    assetId: assetId(key.entityKey),
    source: 'edr',
    deviceId: 'e1',
  };
  return [
    ...listing(101, 1, ['edr']),
    ...listing(111, 2, ['edr', 'cmdb']),
    event(ended, T0 + 130, { kind: 'system', user: null }, key),
  ];
}

/** A bare name that is ambiguous when its assessment is closed. */
function bareName(host: string, rules: number): IntakeEvent[] {
  const named = (name: string, finding: string) =>
    signal(finding, 'fail', {
      entity: entity({ name, fqdn: name.includes('.') ? name : null }),
      assetRules: { matching: 'fqdn', importAssets: true, updateMetadata: true },
    });
  const [a, b] = [`${host}.a.com`, `${host}.b.com`];
  return [
    ...replacing(host, rules, 1, [named(a, 'f1')], [a], 'fqdn'),
    ...replacing(host, rules, 2, [named(host, 'f2'), named(b, 'f3')], [host, b], 'fqdn'),
  ];
}

/** Two users hold one finding. */
function heldAgain(host: string, rules: number): IntakeEvent[] {
  const key = entityKey('machine', host);
  const on = { findingId: findingId(assetId(key), 'va', 'a'), seenVersion: null, rationale: null };
  const act = (payload: FindingAct, user: string, at: number) =>
    event(payload, T0 + at, { kind: 'user', user }, { entityKey: key, rules });
  uploads += 1;
  return [
    ...upload(uploads, T0, [signal('a', 'fail', { entity: entity({ name: host }) })], {
      entityKey: key,
      rules,
    }),
    act({ ...on, type: 'FindingAccepted', rationale: 'known', until: null }, 'ana', 1),
    act({ ...on, type: 'FindingReverted', to: 'Failed' }, 'ana', 2),
    act({ ...on, type: 'FindingReverted', to: 'Failed' }, 'ben', 3),
  ];
}
