import { encodeIntake } from '#libs/contracts';
import type { EntityDescription, InstanceStatus, IntakeEvent, IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, described, entity, event, signal, T0, upload, uploadId } from '../../support/scenario.ts';

/** Events of 0.1.0 after those of rules 8, as programs write them that run side by side (ADR-0154). */
export function mixedRules(): LogRecord[][] {
  const events = [
    ...expires('expires'),
    ...fixedAndFailsAgain('fails'),
    ...failsAndIsFixed('fixed'),
    ...statements('stated'),
  ].sort((a, b) => a.envelope.at - b.envelope.at);
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `f2800000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

const OLD = 1;
const NEW = 8;

let uploads = 0;
function uploaded(host: string, rules: number, day: number, payload: IntakePayload): IntakeEvent[] {
  uploads += 1;
  return upload(uploads, T0 + day * DAY_MS, [payload], { entityKey: `machine:${host}`, rules });
}

const scanned = (
  host: string,
  rules: number,
  day: number,
  status: InstanceStatus,
  given: Parameters<typeof signal>[2] = {},
): IntakeEvent[] =>
  uploaded(host, rules, day, signal('a', status, { entity: entity({ name: host }), ...given }));

const expires = (host: string): IntakeEvent[] => [
  ...scanned(host, OLD, 0, 'fail', { expiresAt: T0 + 1.5 * DAY_MS }),
  event(
    { type: 'EntitySwept', deleteIdleSince: null },
    T0 + 2 * DAY_MS,
    { kind: 'system', user: null },
    { entityKey: `machine:${host}`, rules: NEW },
  ),
  ...scanned(host, OLD, 3, 'fail'),
  ...scanned(host, NEW, 4, 'pass'),
];

const fixedAndFailsAgain = (host: string): IntakeEvent[] => [
  ...scanned(host, OLD, 0, 'fail'),
  ...scanned(host, NEW, 1, 'pass'),
  ...scanned(host, OLD, 2, 'fail'),
  ...scanned(host, NEW, 9, 'unknown'),
];

const failsAndIsFixed = (host: string): IntakeEvent[] => [
  ...scanned(host, OLD, 0, 'pass'),
  ...scanned(host, NEW, 1, 'fail'),
  ...scanned(host, OLD, 2, 'pass'),
  ...scanned(host, NEW, 90, 'fail'),
];

function statements(host: string): IntakeEvent[] {
  const said = (
    rules: number,
    day: number,
    source: string,
    given: Partial<EntityDescription>,
    deviceId: string | null = null,
  ): IntakeEvent[] =>
    uploaded(
      host,
      rules,
      day,
      described({
        entity: entity({ name: host, ...given }),
        source: { name: source, nextSubmissionIntervalInMins: null },
        deviceId,
        trustedSources: rules === NEW ? ['edr'] : [],
      }),
    );
  const bySync = ({ envelope, payload }: IntakeEvent): IntakeEvent => ({
    envelope: { ...envelope, cause: { ...envelope.cause, kind: 'sync', syncId: uploadId(2_800) } },
    payload,
  });
  return [
    ...said(NEW, 0, 'inventory', { criticality: 'low', os: 'Debian' }, 'd1'),
    ...said(OLD, 1, 'cmdb', { criticality: 'critical', tags: { stage: ['live'] } }),
    ...said(NEW, 2, 'inventory', { criticality: 'low', os: 'Debian' }, 'd1'),
    ...said(OLD, 3, 'inventory', { criticality: 'high' }).map(bySync),
    ...said(NEW, 4, 'edr', { os: 'Debian 12' }, 'e1'),
  ];
}
