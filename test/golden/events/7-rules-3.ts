import { encodeIntake } from '#libs/contracts';
import {
  assetId as assetIdOf,
  findingId as findingIdOf,
  type IntakeEvent,
  type IntakePayload,
  ORGANIZATION_KEY,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, described, entity, event, signal, T0, uploadId } from '../../support/scenario.ts';

const HOUR_MS = 3_600_000;

/** The meaning of two clocks in an event under rules 3, each next to the same under rules 2. */
export function twoClocks(): LogRecord[][] {
  const events = [2, 3].map((rules) => [
    ...slowGateway(`slow-${rules}`, rules),
    ...withinTheBound(`near-${rules}`, rules),
    ...farAhead(`far-${rules}`, rules),
    ...(rules === 3 ? settingsFarAhead() : []),
  ]);
  // A partition for each number of rules, as one clock would hide the other.
  return events.map((partition, p) =>
    partition.map(({ envelope, payload }, i) => {
      const id = `e0000000-0000-5000-8000-${String(p * 1_000 + i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  );
}

let uploads = 0;
/** An upload of one entity by a gateway whose clock differs from the reference. */
function uploaded(
  host: string,
  rules: number,
  at: number,
  receivedAt: number,
  payloads: IntakePayload[],
): IntakeEvent[] {
  uploads += 1;
  return payloads.map((payload, i) =>
    event(
      payload,
      at,
      { uploadId: uploadId(uploads), receivedAt, ordinal: i + 1, count: payloads.length, entryIndex: i },
      { entityKey: `machine:${host}`, rules },
    ),
  );
}

const named = (host: string, name: string, given: Parameters<typeof signal>[2] = {}) =>
  signal(name, 'fail', { entity: entity({ name: host }), ...given });

const closing = (host: string): IntakePayload => ({
  type: 'AssessmentClosed',
  types: ['va'],
  names: [host],
  matching: 'name',
});

/** A gateway whose clock is behind receives the later ZIP. */
const slowGateway = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, rules, T0, T0, [named(host, 'a')]),
  ...uploaded(host, rules, T0 - 600_000, T0 + 60_000, [named(host, 'b'), closing(host)]),
];

/** A gateway whose clock is ahead, by less than the bound: findings that expire in between stay under rules 3. */
const withinTheBound = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, rules, T0 + 120_000, T0 + 120_000, [named(host, 'a', { expiresAt: T0 + 600_000 })]),
  ...uploaded(host, rules, T0 + HOUR_MS, T0 + 180_000, [named(host, 'b')]),
];

/** Clocks that are 120 days ahead: a sweep, an upload that replaces, and acts. */
function farAhead(host: string, rules: number): IntakeEvent[] {
  const entityKey = `machine:${host}`;
  const assetId = assetIdOf(entityKey);
  const findingId = findingIdOf(assetId, 'va', 'a');
  const [at, receivedAt] = [T0 + 120 * DAY_MS, T0 + 240_000];
  const act = (payload: IntakePayload) =>
    event(payload, at, { kind: 'user', receivedAt }, { entityKey, rules });
  const typing = { type: 'Legacy', attackSurface: 'Servers', supports: ['va' as const] };
  return [
    ...uploaded(host, rules, receivedAt, receivedAt, [
      named(host, 'a', { expiresAt: T0 + 90 * DAY_MS }),
      named(host, 'b'),
    ]),
    act({ type: 'FindingAccepted', findingId, seenVersion: null, rationale: 'known', until: null }),
    act({ type: 'FindingReverted', findingId, seenVersion: null, to: 'NotAssessed', rationale: null }),
    ...uploaded(host, rules, at, receivedAt, [
      named(host, 'c'),
      described({ entity: entity({ name: host, os: 'Plan 9' }) }),
      closing(host),
    ]),
    event(
      { type: 'AssetRetyped', assetId, typing },
      at,
      { kind: 'system', user: null, receivedAt },
      { entityKey, rules, settingsVersion: 1 },
    ),
    act({ type: 'AssetDeleted', assetId, seenVersion: null }),
    event(
      { type: 'EntitySwept', deleteIdleSince: T0 + 30 * DAY_MS },
      at,
      { kind: 'system', user: null, receivedAt },
      { entityKey, rules },
    ),
  ];
}

/** A refused change, and a credential that was made all the same. */
const settingsFarAhead = (): IntakeEvent[] =>
  (
    [
      { type: 'SettingsChanged', seenVersion: null, changes: { retentionDays: '30' } },
      {
        type: 'CredentialChanged',
        act: 'created',
        credentialId: uploadId(900),
        username: 'ana',
        role: 'analyst',
      },
    ] satisfies IntakePayload[]
  ).map((payload) =>
    event(
      payload,
      T0 + 120 * DAY_MS,
      { kind: 'user', receivedAt: T0 + 300_000 },
      { entityKey: ORGANIZATION_KEY },
    ),
  );
