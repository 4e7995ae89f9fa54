import { encodeIntake } from '#libs/contracts';
import { assetId, findingId, type InstanceStatus, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Failing periods of findings under rules 6, each next to the same under rules 5. */
export function failingPeriods(): LogRecord[][] {
  const events = [5, 6].flatMap((rules) => [
    ...failsAgain(`again-${rules}`, rules),
    ...acceptedFor(`accepted-${rules}`, rules),
    ...seenEarlier(`earlier-${rules}`, rules),
    ...expires(`expires-${rules}`, rules),
    ...replaced(`replaced-${rules}`, rules),
  ]);
  return [
    [...events, ...fromRules5('upgraded'), ...mended('mended')].map(({ envelope, payload }, i) => {
      const id = `f2000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

const keyOf = (host: string): string => `machine:${host}`;
const on = (host: string) => ({ findingId: findingId(assetId(keyOf(host)), 'va', 'a'), seenVersion: null });

let uploads = 0;
function scanned(
  host: string,
  rules: number,
  day: number,
  status: InstanceStatus,
  given: Parameters<typeof signal>[2] = {},
): IntakeEvent[] {
  uploads += 1;
  const payloads = [signal('a', status, { entity: entity({ name: host }), ...given })];
  return upload(uploads, T0 + day * DAY_MS, payloads, { entityKey: keyOf(host), rules });
}

const act = (host: string, rules: number, day: number, payload: IntakePayload): IntakeEvent =>
  event(payload, T0 + day * DAY_MS, { kind: 'user', user: 'ben' }, { entityKey: keyOf(host), rules });

const swept = { type: 'EntitySwept', deleteIdleSince: null } as const;

const failsAgain = (host: string, rules: number): IntakeEvent[] => [
  ...scanned(host, rules, 0, 'pass'),
  ...scanned(host, rules, 1, 'fail'),
  ...scanned(host, rules, 2, 'unknown'),
  ...scanned(host, rules, 3, 'fail'),
  ...scanned(host, rules, 4, 'pass'),
  ...scanned(host, rules, 5, 'fail'),
];

const acceptedFor = (host: string, rules: number): IntakeEvent[] => [
  ...scanned(host, rules, 0, 'fail'),
  act(host, rules, 1, {
    type: 'FindingAccepted',
    ...on(host),
    rationale: 'later',
    until: T0 + 2.5 * DAY_MS,
  }),
  act(host, rules, 3, swept),
  ...scanned(host, rules, 4, 'fail'),
  act(host, rules, 5, { type: 'FindingAccepted', ...on(host), rationale: 'never', until: null }),
  act(host, rules, 6, { type: 'FindingReverted', ...on(host), to: 'Failed', rationale: null }),
];

const seenEarlier = (host: string, rules: number): IntakeEvent[] => [
  ...scanned(host, rules, 0, 'fail', { firstSeen: T0 - 30 * DAY_MS }),
  ...scanned(host, rules, 1, 'pass'),
];

const expires = (host: string, rules: number): IntakeEvent[] => [
  ...scanned(host, rules, 0, 'fail', { expiresAt: T0 + 1.5 * DAY_MS }),
  act(host, rules, 3, swept),
  ...scanned(host, rules, 4, 'fail'),
];

const replaced = (host: string, rules: number): IntakeEvent[] => {
  uploads += 1;
  const closed: IntakePayload = { type: 'AssessmentClosed', types: ['va'], names: [host], matching: 'name' };
  return [
    ...scanned(host, rules, 0, 'fail'),
    ...upload(uploads + 1_000, T0 + DAY_MS, [closed], { entityKey: keyOf(host), rules }),
  ];
};

/** A finding that failed under rules 5: its period is stored with its first change under rules 6. */
const fromRules5 = (host: string): IntakeEvent[] => [
  ...scanned(host, 5, 0, 'fail', { firstSeen: T0 - DAY_MS }),
  ...scanned(host, 6, 1, 'fail', { firstSeen: T0 - DAY_MS }),
  act(host, 6, 2, { type: 'FindingTagged', ...on(host), add: ['x'], remove: [] }),
  ...scanned(host, 6, 3, 'pass', { firstSeen: T0 - DAY_MS }),
];

/** A mend gives the period itself. */
const mended = (host: string): IntakeEvent[] => [
  ...scanned(host, 6, 0, 'fail'),
  act(host, 6, 1, {
    type: 'EntityMended',
    assets: [],
    findings: [
      {
        assetId: assetId(keyOf(host)),
        findingId: on(host).findingId,
        seenVersion: 1,
        seenAt: T0,
        fields: {
          state: '"Qualified"',
          failedSince: JSON.stringify(T0 - 2 * DAY_MS),
          settledAt: JSON.stringify(T0 - DAY_MS),
        },
        seen: {},
      },
    ],
  }),
];
