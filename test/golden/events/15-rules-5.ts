import { encodeIntake } from '#libs/contracts';
import {
  type AssetDescribed,
  assetId as assetIdOf,
  type IntakeEvent,
  type IntakePayload,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { described, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** What each source says of an asset under rules 5, each next to the same under rules 4: schemas 32 to 34. */
export function statementsOfSources(): LogRecord[][] {
  const events = [4, 5].flatMap((rules) => [
    ...twoSources(`two-${rules}`, rules),
    ...twoDevices(`devices-${rules}`, rules),
    ...trusting(`trusted-${rules}`, rules),
    ...deletedAndBack(`gone-${rules}`, rules),
    ...retyped(`typed-${rules}`, rules),
  ]);
  return [
    [...events, ...fromRules4('earlier')].map(({ envelope, payload }, i) => {
      const id = `f1000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

let uploads = 0;
function uploaded(
  host: string,
  rules: number,
  payloads: IntakePayload[],
  settingsVersion = 1,
): IntakeEvent[] {
  uploads += 1;
  return upload(uploads, T0 + uploads, payloads, { entityKey: `machine:${host}`, rules, settingsVersion });
}

const tick = (host: string, rules: number, payload: IntakePayload, settingsVersion = 1): IntakeEvent =>
  event(
    payload,
    T0 + uploads,
    { kind: 'system', user: null },
    {
      entityKey: `machine:${host}`,
      rules,
      settingsVersion,
    },
  );

const source = (name: string | null) => ({ name, nextSubmissionIntervalInMins: null });
const typing = (type: string) => ({ type, attackSurface: 'Servers', supports: [] });

const edr = (host: string, given: Parameters<typeof entity>[0] = {}, more: Partial<AssetDescribed> = {}) =>
  described({
    entity: entity({
      name: host,
      hostname: host,
      ipAddresses: ['10.0.0.1'],
      os: 'Windows Server 2019',
      typing: typing('Server'),
      location: 'Pune',
      tags: { a: ['edr'], both: ['edr'] },
      customFields: { 'edrsource-tags': ['x'] },
      ...given,
    }),
    source: source('edr'),
    deviceId: 'e1',
    ...more,
  });

const cmdb = (host: string, given: Parameters<typeof entity>[0] = {}, more: Partial<AssetDescribed> = {}) =>
  described({
    entity: entity({
      name: `${host}.corp.example`,
      hostname: host,
      fqdn: `${host}.corp.example`,
      ipAddresses: ['10.0.0.2'],
      os: 'Windows',
      typing: typing('Workstation'),
      location: 'Mumbai',
      department: 'IT',
      tags: { b: ['cmdb'], both: ['cmdb'] },
      ...given,
    }),
    source: source('cmdb'),
    deviceId: 'c1',
    ...more,
  });

const scan = (host: string, given: Parameters<typeof entity>[0] = {}) =>
  signal('a', 'fail', {
    entity: entity({ name: host, hostname: host, ...given }),
    source: source('scanner'),
  });

const end = (host: string, of: string, deviceId: string): IntakePayload => ({
  type: 'StatementEnded',
  assetId: assetIdOf(`machine:${host}`),
  source: of,
  deviceId,
});

/** Two sources take turns, one changes, one ends, and ends again. */
const twoSources = (host: string, rules: number) => [
  ...uploaded(host, rules, [scan(host), edr(host)]),
  ...uploaded(host, rules, [cmdb(host)]),
  ...uploaded(host, rules, [edr(host)]),
  ...uploaded(host, rules, [cmdb(host, { location: null, tags: {} }), scan(host, { criticality: 'high' })]),
  tick(host, rules, end(host, 'edr', 'e1')),
  tick(host, rules, end(host, 'edr', 'e1')),
];

const twoDevices = (host: string, rules: number) => [
  ...uploaded(host, rules, [edr(host), edr(host, { ipAddresses: ['10.0.0.9'] }, { deviceId: 'e2' })]),
  ...uploaded(host, rules, [edr(host), edr(host, { ipAddresses: ['10.0.0.9'] }, { deviceId: 'e2' })]),
];

/** The list of trusted sources changes; then an event of older settings comes. */
const trusting = (host: string, rules: number) => [
  ...uploaded(host, rules, [edr(host), cmdb(host)]),
  ...uploaded(host, rules, [cmdb(host, {}, { trustedSources: ['edr', 'cmdb'] })], 2),
  ...uploaded(host, rules, [{ ...scan(host, { location: 'Oslo' }), trustedSources: ['scanner'] }]),
  ...uploaded(host, rules, [scan(host, { location: 'Oslo' })], 3),
];

const deletedAndBack = (host: string, rules: number) => [
  ...uploaded(host, rules, [edr(host)]),
  tick(host, rules, { type: 'AssetDeleted', assetId: assetIdOf(`machine:${host}`), seenVersion: null }),
  ...uploaded(host, rules, [cmdb(host)]),
];

const retyped = (host: string, rules: number) => [
  ...uploaded(host, rules, [edr(host)]),
  tick(
    host,
    rules,
    { type: 'AssetRetyped', assetId: assetIdOf(`machine:${host}`), typing: typing('Other') },
    2,
  ),
  ...uploaded(host, rules, [cmdb(host)], 2),
];

/** An asset of rules 4, described under rules 5, also without a device; a device without any data. */
const fromRules4 = (host: string) => [
  ...uploaded(host, 4, [edr(host)]),
  ...uploaded(host, 5, [cmdb(host), edr(host, { location: 'Oslo' }, { deviceId: null })]),
  ...uploaded(host, 5, [
    described({ entity: entity({ name: host }), source: source('edr'), deviceId: 'e9' }),
  ]),
];
