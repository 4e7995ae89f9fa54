import { encodeIntake } from '#libs/contracts';
import { assetId as assetIdOf, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { described, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Hosts of EDR inventories under rules 4, each next to the same under rules 3: schemas 25 and 26. */
export function edrManagement(): LogRecord[][] {
  const events = [3, 4].flatMap((rules) => [
    ...listedByTwo(`listed-${rules}`, rules),
    ...deletedAndBack(`gone-${rules}`, rules),
    ...withoutMetadata(`known-${rules}`, rules),
  ]);
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `f0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

let uploads = 0;
function uploaded(host: string, rules: number, payloads: IntakePayload[]): IntakeEvent[] {
  uploads += 1;
  return upload(uploads, T0 + uploads, payloads, { entityKey: `machine:${host}`, rules });
}

const inventory = (host: string, source: string, isEdrManaged = true) =>
  described({
    entity: entity({ name: host }),
    source: { name: source, nextSubmissionIntervalInMins: null },
    isEdrManaged,
  });

const tick = (host: string, rules: number, payload: IntakePayload): IntakeEvent =>
  event(payload, T0 + uploads, { kind: 'system', user: null }, { entityKey: `machine:${host}`, rules });

const end = (host: string, source: string): IntakePayload => ({
  type: 'EdrManagementEnded',
  assetId: assetIdOf(`machine:${host}`),
  source,
});

/** Two inventories list the host, another description does not; both end, one of them twice. */
const listedByTwo = (host: string, rules: number) => [
  ...uploaded(host, rules, [
    inventory(host, 'edr-b'),
    inventory(host, 'edr-a'),
    inventory(host, 'cmdb', false),
  ]),
  ...['edr-a', 'edr-a', 'edr-b'].map((source) => tick(host, rules, end(host, source))),
];

/** Deleted while it is listed, and back by a scanner, then by the inventory. */
const deletedAndBack = (host: string, rules: number) => [
  ...uploaded(host, rules, [inventory(host, 'edr-a')]),
  tick(host, rules, { type: 'AssetDeleted', assetId: assetIdOf(`machine:${host}`), seenVersion: null }),
  ...uploaded(host, rules, [
    signal('a', 'fail', { entity: entity({ name: host }) }),
    inventory(host, 'edr-a'),
  ]),
];

/** A known asset whose metadata may not change. */
const withoutMetadata = (host: string, rules: number) => [
  ...uploaded(host, rules, [signal('a', 'fail', { entity: entity({ name: host }) })]),
  ...uploaded(host, rules, [
    {
      ...inventory(host, 'edr-a'),
      assetRules: { matching: 'name', importAssets: true, updateMetadata: false },
    },
  ]),
];
