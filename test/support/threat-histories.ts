import fc from 'fast-check';
import {
  assetId,
  type FindingType,
  findingId,
  type InstanceStatus,
  type IntakePayload,
  ORGANIZATION_KEY,
} from '#libs/domain';
import type { LoggedEvent } from './histories.ts';
import { DAY_MS, described, entity, event, instance, observation, signal, T0, uploadId } from './scenario.ts';

/** Generated logs with what only posture-2 looks at: controls, detections that are closed, addresses, and the settings. */

export const THREATENED_HOSTS = ['web01', 'db01'];
const HOUR_MS = DAY_MS / 24;
const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const severity = { ...instance().severity, version: '3.1', vector: VECTOR };

type Act = (host: string, at: number) => IntakePayload;
type Named = [name: string, type: FindingType];

const NAMED: Named[] = [
  ['hole', 'va'],
  ['second hole', 'va'],
  ['control', 'ca'],
  ['training', 'uba'],
  ['detection', 'edr'],
];
const MAPPED: Record<string, object> = {
  hole: { cves: ['CVE-2021-44228'], severity },
  'second hole': { cves: ['CVE-2024-3094'] },
  control: { techniques: ['T1190'] },
  training: { techniques: ['T1566'] },
  detection: { techniques: ['T1486'] },
};

/** Of the instance of a port. */
const MAPPED_BY_PORT: Record<string, object> = {
  hole: { cves: ['CVE-2024-3094'], techniques: ['T1566'] },
  control: { techniques: ['T1566'] },
  detection: { techniques: ['T1059'] },
};

const named = fc.constantFrom(...NAMED);
/** Mostly a hole with the control that covers it, and a detection. */
const reported = fc.oneof(
  { weight: 1, arbitrary: named },
  { weight: 2, arbitrary: fc.constantFrom(NAMED[0]!, NAMED[2]!, NAMED[4]!) },
);
const hours = (min: number, max: number) => fc.integer({ min, max }).map((n) => n * HOUR_MS);

const signals: fc.Arbitrary<Act> = fc
  .record({
    named: reported,
    status: fc.constantFrom<InstanceStatus>('fail', 'fail', 'fail', 'pass', 'unknown'),
    key: fc.constantFrom('', '', '22/tcp'),
    workflowStatus: fc.constantFrom(null, 'New', 'Closed', 'Closed', 'True Positive', 'ignored'),
    tags: fc.constantFrom<string[]>([], ['true_positive'], ['ignored']),
    isMapped: fc.nat(9).map((n) => n > 0),
    expiresIn: hours(12, 700),
    keptFor: hours(24, 1_000),
  })
  .map(({ named: [name, type], status, key, workflowStatus, tags, isMapped, expiresIn, keptFor }) => {
    const closed = type === 'edr' ? { workflowStatus, tags: { 'detection-tags': tags } } : {};
    const mapped = (key === '' ? undefined : MAPPED_BY_PORT[name]) ?? MAPPED[name];
    const one = instance(status, { key, ...closed, ...(isMapped && mapped) });
    return (host, at) =>
      signal(name, status, {
        entity: entity({ name: host }),
        expiresAt: at + expiresIn,
        retainUntil: at + keptFor,
        observations: [observation(type, [one], { mode: key === '' ? 'whole' : 'merge' })],
      });
  });

const descriptions: fc.Arbitrary<Act> = fc
  .record({
    criticality: fc.constantFrom<'critical' | 'low' | null>('critical', 'low', null),
    integrityRequirement: fc.constantFrom<'high' | null>('high', null),
    ipAddresses: fc.constantFrom<string[]>([], ['10.0.0.1'], ['8.8.8.8']),
    department: fc.constantFrom(null, 'IT'),
    isEdrManaged: fc.boolean(),
  })
  .map(
    ({ isEdrManaged, ...given }): Act =>
      (host) =>
        described({ entity: entity({ name: host, ...given }), isEdrManaged }),
  );

const onFinding = (make: (findingId: string) => IntakePayload): fc.Arbitrary<Act> =>
  named.map(([name, type]): Act => {
    return (host) => make(findingId(assetId(`machine:${host}`), type, name));
  });

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 14, arbitrary: signals },
  { weight: 3, arbitrary: descriptions },
  {
    weight: 1,
    arbitrary: onFinding((id) => ({
      type: 'FindingAccepted',
      findingId: id,
      seenVersion: null,
      rationale: 'known',
      until: null,
    })),
  },
  {
    weight: 1,
    arbitrary: onFinding((id) => ({
      type: 'FindingReverted',
      findingId: id,
      seenVersion: null,
      to: 'NotAssessed',
      rationale: null,
    })),
  },
  { weight: 2, arbitrary: fc.constant<Act>(() => ({ type: 'EntitySwept', deleteIdleSince: null })) },
  {
    weight: 1,
    arbitrary: fc.constant<Act>((host) => ({
      type: 'EdrManagementEnded',
      assetId: assetId(`machine:${host}`),
      source: 'inventory',
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Act>((host) => ({
      type: 'AssetDeleted',
      assetId: assetId(`machine:${host}`),
      seenVersion: null,
    })),
  },
);

const choices = fc.constantFrom<Record<string, string>>(
  { scoringModel: '"posture-2"' },
  { scoringModel: '"posture-2"' },
  { scoringModel: '"posture-1"' },
  { incidentRates: '{"low":0.1,"best":0.3,"high":0.5}' },
  { scoringModel: '"posture-2"', incidentRates: '{"low":0.01,"best":0.05,"high":0.2}' },
);

/** In the order of the log; a host is in one partition, the organization in the first. */
export const threatHistories: fc.Arbitrary<LoggedEvent[]> = fc
  .array(
    fc.record({
      host: fc.nat(THREATENED_HOSTS.length - 1),
      act: acts,
      choice: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: choices }),
      passed: fc.oneof(fc.constant(0), hours(0, 24), hours(0, 200)),
      skew: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: hours(-48, 0) }),
    }),
    { minLength: 10, maxLength: 40 },
  )
  .map((steps) => {
    let now = T0;
    return steps.flatMap(({ host: n, act, choice, passed, skew }, i) => {
      now += passed;
      const host = THREATENED_HOSTS[n]!;
      const at = now + skew;
      const payload = act(host, at);
      const isUploaded = payload.type === 'SignalReceived' || payload.type === 'AssetDescribed';
      const cause = isUploaded ? { uploadId: uploadId(i + 1), receivedAt: at } : {};
      const logged: LoggedEvent[] = [
        { partition: n % 2, event: event(payload, at, cause, { entityKey: `machine:${host}` }) },
      ];
      if (choice) {
        const chosen = { type: 'SettingsChanged', seenVersion: null, changes: choice } as const;
        logged.push({ partition: 0, event: event(chosen, now, {}, { entityKey: ORGANIZATION_KEY }) });
      }
      return logged;
    });
  });
