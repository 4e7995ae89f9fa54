import { encodeIntake } from '#libs/contracts';
import {
  assetId as assetIdOf,
  findingId as findingIdOf,
  type IntakeEvent,
  type IntakePayload,
  type MendedFinding,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, entity, event, signal, T0, uploadId } from '../../support/scenario.ts';

const HOST = 'mended';
const KEY = `machine:${HOST}`;
const ASSET = assetIdOf(KEY);
const AHEAD = T0 + 120 * DAY_MS;
const CORRECTED = T0 + 2 * DAY_MS;

const finding = (name: string) => findingIdOf(ASSET, 'va', name);
const json = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));

/** A partition that a wrong clock has poisoned, its correction, and the result of each kind of mend. */
export function correctedClocks(): LogRecord[][] {
  const events = [...poisoned(), ...corrections(), ...mends(), ...afterwards()];
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `e0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

let uploads = 0;
const uploaded = (name: string, at: number, rules: number): IntakeEvent => {
  uploads += 1;
  const expiresAt = T0 + 90 * DAY_MS;
  const payload = signal(name, 'fail', { entity: entity({ name: HOST }), expiresAt });
  return event(payload, at, { uploadId: uploadId(uploads), receivedAt: at }, { entityKey: KEY, rules });
};

const act = (payload: IntakePayload, at: number, entityKey = KEY) =>
  event(payload, at, { kind: 'user', receivedAt: at }, { entityKey });

/** The sweep retires and deletes its entities; later events have the time of the wrong clock. */
const poisoned = (): IntakeEvent[] => [
  ...['kept', 'stale', 'resent', 'replaced'].map((name) => uploaded(name, T0, 2)),
  event(
    { type: 'EntitySwept', deleteIdleSince: T0 + 100 * DAY_MS },
    AHEAD,
    { kind: 'system', user: null },
    { entityKey: KEY, rules: 2 },
  ),
  uploaded('replaced', T0 + DAY_MS, 2),
  uploaded('new', T0 + DAY_MS, 2),
];

/** The second one finds a clock that is right. */
const corrections = (): IntakeEvent[] =>
  [CORRECTED, CORRECTED + 1].map((at) =>
    act({ type: 'ClockCorrected', reason: 'the time server was wrong' }, at, 'log:0'),
  );

const mended = (name: string, seenVersion: number, given: Partial<MendedFinding> = {}): MendedFinding => ({
  assetId: ASSET,
  findingId: finding(name),
  seenVersion,
  seenAt: T0,
  fields: json({ state: 'Failed', retiredReason: null }),
  seen: {},
  ...given,
});

const mend = (findings: MendedFinding[], at: number): IntakeEvent =>
  act({ type: 'EntityMended', assets: [], findings }, at);

const mends = (): IntakeEvent[] => [
  act(
    {
      type: 'EntityMended',
      assets: [
        // Its signals have brought it back: only the time of its last change is wrong.
        { assetId: ASSET, seenVersion: 3, seenAt: AHEAD, fields: {} },
        { assetId: finding('no asset'), seenVersion: 1, seenAt: T0, fields: {} },
      ],
      findings: [],
    },
    CORRECTED + 2,
  ),
  mend([mended('kept', 2), mended('stale', 1), mended('resent', 2, { seenAt: T0 - 1 })], CORRECTED + 3),
  mend(
    [
      mended('new', 1, {
        seenAt: AHEAD,
        fields: {},
        seen: json({ lastSeen: T0 + DAY_MS, expiresAt: T0 + 80 * DAY_MS }),
      }),
      mended('replaced', 3, { seenAt: AHEAD, fields: json({ state: 'Retired', retiredReason: 'replaced' }) }),
    ],
    CORRECTED + 4,
  ),
  mend(
    [
      mended('created', 0, {
        fields: json({
          ...{ type: 'va', subtype: null, name: 'created', description: null, technical: null },
          ...{ businessImpact: null, controlType: null, remediation: null, confidence: null, extra: null },
          ...{
            source: { name: 'scanner', nextSubmissionIntervalInMins: null },
            firstSeen: T0,
            instances: [],
          },
          ...{ state: 'NotAssessed', retiredReason: null, accepted: null, heldFailed: null },
        }),
        seen: json({
          ...{
            signalId: uploadId(99),
            lastSeen: T0,
            expiresAt: T0 + 90 * DAY_MS,
            retainUntil: T0 + 90 * DAY_MS,
          },
          ...{ stamp: { at: T0, uploadId: uploadId(99) }, instanceStamps: null },
        }),
      }),
      mended('kept', 3, { seenAt: T0, fields: json({ state: 'NotAssessed' }) }),
    ],
    CORRECTED + 5,
  ),
  act(
    {
      type: 'EntityMended',
      assets: [
        {
          assetId: ASSET,
          seenVersion: 4,
          seenAt: CORRECTED + 2,
          fields: json({ deletedAt: T0 + DAY_MS }),
        },
      ],
      findings: [],
    },
    CORRECTED + 6,
  ),
  act(
    {
      type: 'EntityMended',
      assets: [
        {
          assetId: ASSET,
          seenVersion: 5,
          seenAt: CORRECTED + 2,
          fields: { ...json({ deletedAt: null, os: 'Debian' }), name: 'no JSON' },
        },
      ],
      findings: [],
    },
    CORRECTED + 7,
  ),
];

/** Later values are not overwritten, and are due as usual. */
const afterwards = (): IntakeEvent[] => [
  uploaded('kept', CORRECTED + DAY_MS, 3),
  event(
    { type: 'EntitySwept', deleteIdleSince: null },
    T0 + 85 * DAY_MS,
    { kind: 'system', user: null },
    { entityKey: KEY },
  ),
];
