import { encodeIntake } from '#libs/contracts';
import {
  type AssetDescribed,
  type AssetRetyped,
  assetId,
  type IntakeEvent,
  type IntakePayload,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { described, entity, event, signal, T0, upload } from '../../support/scenario.ts';

const EARLIER = 9;

/** Defaults, types and merged names, in one partition under rules 9, in the other under rules 10. */
export function typesAndDefaults(): LogRecord[][] {
  return [EARLIER, 10].map((rules) => {
    const events = [
      ...newDefaults(`defaults-${rules}`, rules),
      ...newMapping(`mapping-${rules}`, rules),
      ...hiddenSystem(`hidden-${rules}`, rules),
      ...beforeStatements(`before-${rules}`, rules),
      ...vagueSystem(`vague-${rules}`, rules),
      ...preciseSystem(`precise-${rules}`, rules),
      ...givenType(`given-${rules}`, rules),
      ...noLongerGiven(`no-longer-${rules}`, rules),
      ...mergedNames(`merged-${rules}`, rules),
    ];
    return events.map(({ envelope, payload }, i) => {
      const id = `f3000000-0000-5000-8000-${String(rules * 1_000 + i).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    });
  });
}

type Given = Parameters<typeof entity>[0];

let uploads = 0;
function uploaded(host: string, rules: number, payload: IntakePayload, settingsVersion = 1): IntakeEvent[] {
  uploads += 1;
  const key = { entityKey: `machine:${host}`, rules, settingsVersion };
  return upload(uploads, T0 + uploads, [payload], key);
}

const source = (name: string) => ({ name, nextSubmissionIntervalInMins: null });
const typing = (type: string) => ({ type, attackSurface: 'Servers', supports: ['va' as const] });

const scan = (host: string, name: string, given: Given, isTypeGiven = false): IntakePayload =>
  signal('a', 'fail', { entity: entity({ name: host, ...given }), source: source(name), isTypeGiven });

const device = (
  host: string,
  name: string,
  given: Given,
  more: Partial<AssetDescribed> = {},
): IntakePayload =>
  described({
    entity: entity({ name: host, ...given }),
    source: source(name),
    deviceId: `${name}-1`,
    ...more,
  });

const tick = (host: string, rules: number, payload: IntakePayload, settingsVersion: number): IntakeEvent =>
  event(
    payload,
    T0 + uploads,
    { kind: 'system', user: null },
    { entityKey: `machine:${host}`, rules, settingsVersion },
  );

/** As each version writes it: the earlier one names only the asset. */
const retyped = (
  host: string,
  rules: number,
  named: Required<Pick<AssetRetyped, 'os' | 'from'>>,
  to: string,
) =>
  tick(
    host,
    rules,
    {
      type: 'AssetRetyped',
      assetId: assetId(`machine:${host}`),
      typing: typing(to),
      ...(rules === EARLIER ? { os: null, from: null } : named),
    },
    2,
  );

const ended = (host: string, rules: number, name: string): IntakeEvent => {
  const ofAsset = assetId(`machine:${host}`);
  return tick(
    host,
    rules,
    { type: 'StatementEnded', assetId: ofAsset, source: name, deviceId: `${name}-1` },
    2,
  );
};

/** Of newer settings by a route that changes no metadata, then of older ones. */
function newDefaults(host: string, rules: number): IntakeEvent[] {
  const { defaults } = entity();
  const kept = { matching: 'name', importAssets: true, updateMetadata: false } as const;
  const received = (department: string, settingsVersion: number) =>
    uploaded(
      host,
      rules,
      signal('a', 'fail', {
        entity: entity({ name: host, defaults: { ...defaults, department }, criticality: 'low' }),
        assetRules: kept,
      }),
      settingsVersion,
    );
  return [...received('Unassigned', 1), ...received('IT', 2), ...received('Old', 1)];
}

/** A mapping is applied to what the asset no longer has: another operating system, and a type of its own. */
const newMapping = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, rules, device(host, 'cmdb', { os: 'Windows 11', typing: typing('Desktop') })),
  ...uploaded(host, rules, device(host, 'cmdb', { os: 'Ubuntu 24.04', typing: typing('Linux') }), 2),
  retyped(host, rules, { os: 'Windows 11', from: typing('Desktop') }, 'Workstation'),
  retyped(host, rules, { os: 'Ubuntu 24.04', from: typing('Linux') }, 'Server'),
  ...uploaded(
    host,
    rules,
    device(host, 'cmdb', { os: 'Ubuntu 24.04', typing: typing('Linux') }, { isTypeGiven: rules > EARLIER }),
    2,
  ),
  retyped(host, rules, { os: 'Ubuntu 24.04', from: typing('Linux') }, 'Server'),
];

/** The operating system of a source that is not shown, until the other statement ends; one of an unknown system. */
const hiddenSystem = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, rules, scan(host, 'scanner', { os: 'Windows Server 2019', typing: typing('Old') })),
  ...uploaded(host, rules, device(host, 'edr', { os: 'Acme 10' })),
  retyped(host, rules, { os: 'Windows Server 2019', from: typing('Old') }, 'Server'),
  retyped(host, rules, { os: 'Acme 10', from: null }, 'Appliance'),
  ended(host, rules, 'edr'),
];

const beforeStatements = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, 4, scan(host, 'scanner', { os: 'Ubuntu 24.04', typing: typing('Linux') })),
  retyped(host, rules, { os: 'Ubuntu 24.04', from: typing('Linux') }, 'Server'),
];

/** A more precise operating system without a type. */
const vagueSystem = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, rules, scan(host, 'cmdb', { os: 'Linux', typing: typing('Firewall') })),
  ...uploaded(host, rules, scan(host, 'scanner', { os: 'Acme Linux 10' })),
];

/** The same with a type, which is given way to. */
const preciseSystem = (host: string, rules: number): IntakeEvent[] => [
  ...vagueSystem(host, rules),
  ...uploaded(host, rules, scan(host, 'scanner', { os: 'Acme Linux 10', typing: typing('Acme') })),
];

/** By the newest source, which then gives only a location. */
const givenType = (host: string, rules: number): IntakeEvent[] => [
  ...uploaded(host, rules, scan(host, 'scanner', { os: 'Acme Linux 10', typing: typing('Acme') })),
  ...uploaded(host, rules, scan(host, 'cmdb', { os: 'Linux', typing: typing('Firewall') }, rules > EARLIER)),
  ...uploaded(host, rules, scan(host, 'cmdb', { location: 'Pune' })),
];

const noLongerGiven = (host: string, rules: number): IntakeEvent[] => [
  ...givenType(host, rules),
  ...uploaded(host, rules, scan(host, 'cmdb', { os: 'Linux', typing: typing('Linux') })),
];

const mergedNames = (host: string, rules: number): IntakeEvent[] => {
  const named = (name: string) =>
    uploaded(host, rules, scan(host, 'scanner', { name: `${host}.${name}`, fqdn: `${host}.${name}` }));
  return [
    ...named('a.example'),
    tick(host, rules, { type: 'AssetDeleted', assetId: assetId(`machine:${host}`), seenVersion: null }, 1),
    ...named('b.example'),
  ];
};
