import { encodeIntake } from '#libs/contracts';
import {
  assetId,
  entityKey,
  findingId,
  furtherAssetId,
  type IntakeEvent,
  type IntakePayload,
  type SignalReceived,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import {
  DAY_MS,
  entity,
  event,
  fullAssessment,
  instance,
  observation,
  signal,
  T0,
  upload,
} from '../../support/scenario.ts';

/** Names of deleted assets, revoked instances and ends of late signals, in one partition under rules 10, in the other under 11. */
export function liveAssetsAndLaterEnds(): LogRecord[][] {
  return [10, 11].map((rules) => {
    const events = [
      ...liveByName(`by-name-${rules}`, rules),
      ...liveByFqdn(`by-fqdn-${rules}`, rules),
      ...returningFqdn(`returning-${rules}`, rules),
      ...revokedInstance(`revoked-${rules}`, rules),
      ...separateBareName(`separate-${rules}`, rules),
      ...seenWhileAccepted(`accepted-${rules}`, rules),
      ...laterEnds(`ends-${rules}`, rules),
      ...laterEndsOfReturned(`returned-${rules}`, rules),
    ];
    return events.map(({ envelope, payload }, i) => {
      const id = `f3100000-0000-5000-8000-${String(rules * 1_000 + i).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    });
  });
}

type Matching = SignalReceived['assetRules']['matching'];

let uploads = 0;
function uploaded(host: string, rules: number, at: number, ...payloads: IntakePayload[]): IntakeEvent[] {
  uploads += 1;
  return upload(uploads, T0 + at, payloads, { entityKey: entityKey('machine', host), rules });
}

/** An upload that replaces the assessment of `va`. */
function replacing(
  host: string,
  rules: number,
  at: number,
  signals: SignalReceived[],
  matching: Matching = 'name',
): IntakeEvent[] {
  const names = [host];
  const closed: IntakePayload = { type: 'AssessmentClosed', types: ['va'], names, matching };
  const events = uploaded(host, rules, at, ...signals, closed);
  return fullAssessment(events, signals.length);
}

const named = (name: string, finding: string, matching: Matching): SignalReceived =>
  signal(finding, 'fail', {
    entity: entity({ name, fqdn: name.includes('.') ? name : null }),
    assetRules: { matching, importAssets: true, updateMetadata: true },
  });

/** The asset of an FQDN, which is deleted, then that of another FQDN. */
function replacedAsset(host: string, rules: number): IntakeEvent[] {
  const key = entityKey('machine', host);
  const deleted: IntakePayload = { type: 'AssetDeleted', assetId: assetId(key), seenVersion: null };
  return [
    ...uploaded(host, rules, 1, named(`${host}.old.com`, 'f1', 'fqdn')),
    event(deleted, T0 + 2, { kind: 'user', user: 'ana' }, { entityKey: key, rules }),
    ...uploaded(host, rules, 3, named(`${host}.new.com`, 'f2', 'fqdn')),
  ];
}

/** FQDNs are no longer kept apart, and the sender names no FQDN. */
const liveByName = (host: string, rules: number): IntakeEvent[] => [
  ...replacedAsset(host, rules),
  ...replacing(host, rules, 4, [named(host, 'f3', 'name')]),
];

/** A bare name means the live asset, and a later entry makes it ambiguous. */
const liveByFqdn = (host: string, rules: number): IntakeEvent[] => [
  ...replacedAsset(host, rules),
  ...replacing(host, rules, 4, [named(host, 'f3', 'fqdn'), named(`${host}.third.com`, 'f4', 'fqdn')], 'fqdn'),
];

/** The deleted asset is named by its FQDN. */
const returningFqdn = (host: string, rules: number): IntakeEvent[] => [
  ...replacedAsset(host, rules),
  ...uploaded(host, rules, 4, named(`${host}.old.com`, 'f3', 'name')),
];

/** A bare name that was a separate asset, which is deleted, and one FQDN that is left. */
function separateBareName(host: string, rules: number): IntakeEvent[] {
  const key = entityKey('machine', host);
  const further = [`${host}.b.com`, host];
  return [
    ...[`${host}.a.com`, ...further].flatMap((name, i) =>
      uploaded(host, rules, i + 1, named(name, `f${i + 1}`, 'fqdn')),
    ),
    ...further.map((name) =>
      event(
        { type: 'AssetDeleted', assetId: furtherAssetId(key, name, rules), seenVersion: null },
        T0 + 4,
        { kind: 'user', user: 'ana' },
        { entityKey: key, rules },
      ),
    ),
    ...replacing(host, rules, 5, [{ ...named(host, 'f4', 'fqdn'), ignored: 'expired' }], 'fqdn'),
    ...replacing(host, rules, 6, [named(host, 'f5', 'fqdn')], 'fqdn'),
  ];
}

/** A ZIP revokes what it reports; an instance of before is not in it. */
function revokedInstance(host: string, rules: number): IntakeEvent[] {
  const port = portsOf(host);
  return [
    ...uploaded(host, rules, 1, port('22/tcp'), port('443/tcp')),
    ...replacing(host, rules, 2, [
      port('80/tcp'),
      port('443/tcp'),
      port('443/tcp', true),
      port('80/tcp', true),
    ]),
  ];
}

const portsOf =
  (host: string) =>
  (key: string, revoked = false): SignalReceived =>
    signal('tls', 'fail', {
      entity: entity({ name: host }),
      observations: [observation('va', [instance('fail', { key })], { mode: 'merge' })],
      revoked,
    });

/** The newest upload reports a port while the finding is accepted; then two ZIPs of before it replace. */
function seenWhileAccepted(host: string, rules: number): IntakeEvent[] {
  const key = entityKey('machine', host);
  const port = portsOf(host);
  const on = { findingId: findingId(assetId(key), 'va', 'tls'), seenVersion: null, rationale: 'known' };
  const act = (payload: IntakePayload) =>
    event(payload, T0 + 3, { kind: 'user', user: 'ana' }, { entityKey: key, rules });
  return [
    ...uploaded(host, rules, 1, port('22/tcp')),
    ...uploaded(host, rules, 3, port('443/tcp')),
    act({ ...on, type: 'FindingAccepted', until: null }),
    ...uploaded(host, rules, 5, port('80/tcp')),
    act({ ...on, type: 'FindingReverted', to: 'NotAssessed' }),
    ...replacing(host, rules, 2, []),
    ...replacing(host, rules, 4, []),
  ];
}

/** An upload of day 4, then one of day 0 with earlier ends, on day 5 the sweep. */
function laterEnds(host: string, rules: number): IntakeEvent[] {
  const key = entityKey('machine', host);
  const expiring = expiringOn(host);
  const act = { findingId: findingId(assetId(key), 'va', 'accepted'), seenVersion: null };
  const accepted: IntakePayload = { ...act, type: 'FindingAccepted', rationale: 'known', until: null };
  return [
    ...uploaded(host, rules, 4 * DAY_MS, expiring('same', 7), expiring('accepted', 7)),
    event(accepted, T0 + 4 * DAY_MS + 1, { kind: 'user', user: 'ana' }, { entityKey: key, rules }),
    ...uploaded(host, rules, 0, expiring('same', 3), expiring('accepted', 3)),
    swept(host, rules, 5),
  ];
}

/** After the end of an upload of day 4: uploads of day 0, of day 2 with later ends, and of day 1 with earlier ones. */
function laterEndsOfReturned(host: string, rules: number): IntakeEvent[] {
  const expiring = expiringOn(host);
  return [
    ...uploaded(host, rules, 4 * DAY_MS, expiring('same', 7)),
    swept(host, rules, 7),
    ...uploaded(host, rules, 0, expiring('same', 9)),
    ...uploaded(host, rules, 2 * DAY_MS, expiring('same', 92)),
    ...uploaded(host, rules, DAY_MS, expiring('same', 8)),
    swept(host, rules, 9),
  ];
}

const expiringOn = (host: string) => (name: string, days: number) =>
  signal(name, 'fail', {
    entity: entity({ name: host }),
    expiresAt: T0 + days * DAY_MS,
    retainUntil: T0 + (days + 87) * DAY_MS,
  });

const swept = (host: string, rules: number, day: number) =>
  event(
    { type: 'EntitySwept', deleteIdleSince: null },
    T0 + day * DAY_MS,
    { kind: 'system', user: null },
    { entityKey: entityKey('machine', host), rules },
  );
