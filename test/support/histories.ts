import fc from 'fast-check';
import {
  assetId,
  findingId,
  type InstanceStatus,
  type IntakeEvent,
  type IntakePayload,
  type ObservedInstance,
} from '#libs/domain';
import { DAY_MS, described, entity, event, instance, observation, signal, T0, uploadId } from './scenario.ts';

/** Generated logs: what befalls a few hosts over some months, on clocks that also run backwards. */

export interface LoggedEvent {
  partition: number;
  event: IntakeEvent;
}

const HOSTS = ['web01', 'web02', 'db01'];
const NAMES = ['open port', 'Open Port', 'weak cipher', 'old kernel'];
const TYPES = ['va', 'edr'] as const;
const severity = (value: number) => ({ ...instance().severity, value });

type Act = (host: string, at: number) => IntakePayload;

const days = (min: number, max: number) =>
  fc.integer({ min: min * 24, max: max * 24 }).map((hours) => hours * (DAY_MS / 24));

const signals: fc.Arbitrary<Act> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom<InstanceStatus>('fail', 'fail', 'fail', 'pass', 'unknown'),
    port: fc.constantFrom(null, null, '22/tcp', '443/tcp'),
    value: fc.constantFrom(3, 7.1, 7.1, 9.5),
    mapped: fc.constantFrom<Partial<ObservedInstance>>(
      {},
      { cves: ['CVE-2021-44228'] },
      { techniques: ['T1059'], cves: ['CVE-2024-3094'] },
    ),
    source: fc.constantFrom('scanner', 'scanner', 'agent'),
    expiresIn: days(-2, 20),
    keptFor: days(1, 25),
    revoked: fc.integer({ max: 9 }).map((n) => n === 9),
    overrideAccepted: fc.boolean(),
  })
  .map(
    ({ name, type, status, port, value, mapped, source, expiresIn, keptFor, revoked, overrideAccepted }) => {
      const one = instance(status, { key: port ?? '', severity: severity(value), ...mapped });
      return (host, at) =>
        signal(name, status, {
          entity: entity({ name: host }),
          source: { name: source, nextSubmissionIntervalInMins: 1440 },
          expiresAt: at + expiresIn,
          retainUntil: at + keptFor,
          revoked,
          overrideAccepted,
          observations: [observation(type, [one], { mode: port === null ? 'whole' : 'merge' })],
        });
    },
  );

const idOf = (host: string, type: string, name: string) => findingId(assetId(`machine:${host}`), type, name);

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: signals },
  {
    weight: 2,
    arbitrary: fc
      .record({ department: fc.constantFrom('Sales', 'IT'), criticality: fc.constantFrom('high', 'low') })
      .map(
        ({ department, criticality }): Act =>
          (host) =>
            described({
              entity: entity({
                name: host,
                department,
                criticality: criticality as 'high',
                customFields: { Owner: [department] },
              }),
            }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...TYPES), fc.option(days(1, 15), { nil: null }))
      .map(
        ([name, type, lasts]): Act =>
          (host, at) => ({
            type: 'FindingAccepted',
            findingId: idOf(host, type, name),
            seenVersion: null,
            rationale: 'known',
            until: lasts === null ? null : at + lasts,
          }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom<'Failed' | 'NotAssessed'>('Failed', 'NotAssessed'))
      .map(
        ([name, to]): Act =>
          (host) => ({
            type: 'FindingReverted',
            findingId: idOf(host, 'va', name),
            seenVersion: null,
            to,
            rationale: null,
          }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Act>((host) => ({
      type: 'AssessmentClosed',
      types: ['va'],
      names: [host],
      matching: 'name',
    })),
  },
  {
    weight: 2,
    arbitrary: fc.option(days(5, 15), { nil: null }).map(
      (idle): Act =>
        (_host, at) => ({ type: 'EntitySwept', deleteIdleSince: idle === null ? null : at - idle }),
    ),
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

const UPLOADED = ['SignalReceived', 'AssetDescribed', 'AssessmentClosed'];

/** In the order of the log; a host is in one partition. An act that is repeated is an unchanged resend. */
export const histories: fc.Arbitrary<LoggedEvent[]> = fc
  .array(
    fc.record({
      host: fc.nat(HOSTS.length - 1),
      act: acts,
      times: fc.constantFrom(1, 1, 1, 2, 3),
      passed: days(0, 6),
      skew: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: days(-4, 0) }),
    }),
    { minLength: 5, maxLength: 40 },
  )
  .map((steps) => {
    let now = T0;
    let uploads = 0;
    return steps.flatMap(({ host: n, act, times, passed, skew }) =>
      Array.from({ length: times }, (): LoggedEvent => {
        now += passed;
        const host = HOSTS[n]!;
        const at = now + skew;
        const payload = act(host, at);
        const isUploaded = UPLOADED.includes(payload.type);
        if (isUploaded) uploads += 1;
        return {
          partition: n % 2,
          event: event(payload, at, isUploaded ? { uploadId: uploadId(uploads), receivedAt: at } : {}, {
            entityKey: `machine:${host}`,
          }),
        };
      }),
    );
  });
