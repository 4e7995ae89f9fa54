import { encodeIntake } from '#libs/contracts';
import { type AssetDescribed, assetId, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { described, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Tags that become custom fields, and devices without values, in one partition under rules 8, in the other under 9. */
export function fieldsAndTags(): LogRecord[][] {
  return [8, 9].map((rules) => {
    const events = [
      ...tagsBecomeFields(`fields-${rules}`, rules),
      ...beforeStatements(`before-${rules}`, rules),
      ...emptyLists(`empty-${rules}`, rules),
      ...lastValue(`last-${rules}`, rules),
    ];
    return events.map(({ envelope, payload }, i) => {
      const id = `f2900000-0000-5000-8000-${String(rules * 1_000 + i).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    });
  });
}

type Given = Parameters<typeof entity>[0];

let uploads = 0;
function uploaded(host: string, rules: number, payload: IntakePayload): IntakeEvent[] {
  uploads += 1;
  return upload(uploads, T0 + uploads, [payload], { entityKey: `machine:${host}`, rules });
}

const source = (name: string) => ({ name, nextSubmissionIntervalInMins: null });

const scanned = (host: string, rules: number, name: string, given: Given): IntakeEvent[] =>
  uploaded(
    host,
    rules,
    signal('a', 'fail', { entity: entity({ name: host, ...given }), source: source(name) }),
  );

const device = (
  host: string,
  rules: number,
  name: string,
  given: Given,
  more: Partial<AssetDescribed> = {},
): IntakeEvent[] =>
  uploaded(
    host,
    rules,
    described({
      entity: entity({ name: host, ...given }),
      source: source(name),
      deviceId: `${name}-1`,
      ...more,
    }),
  );

const ended = (host: string, rules: number, name: string): IntakeEvent => {
  const key = { entityKey: `machine:${host}`, rules };
  const payload: IntakePayload = {
    type: 'StatementEnded',
    assetId: assetId(key.entityKey),
    source: name,
    deviceId: `${name}-1`,
  };
  return event(payload, T0 + uploads, { kind: 'system', user: null }, key);
};

/** The tags of a source become a field one by one; a `Select` takes only a part, and another source keeps its tag. */
const tagsBecomeFields = (host: string, rules: number): IntakeEvent[] => [
  ...scanned(host, rules, 'scanner', { tags: { env: ['prod'], site: ['hq'], tier: ['gold', 'lead'] } }),
  ...scanned(host, rules, 'other', { tags: { site: ['lab'] } }),
  ...scanned(host, rules, 'scanner', { customFields: { env: ['test'] }, tags: { site: ['hq'] } }),
  ...scanned(host, rules, 'scanner', {
    customFields: { tier: ['gold'], site: ['hq'] },
    tags: { tier: ['tin'] },
  }),
];

/** Tags of before statements, that an integration has in fields. */
const beforeStatements = (host: string, rules: number): IntakeEvent[] => [
  ...scanned(host, 4, 'scanner', { tags: { env: ['prod'], site: ['hq'] } }),
  ...device(host, rules, 'edr', { customFields: { env: ['test'] } }),
];

/** A trusted device without values, until its statement ends. */
const emptyLists = (host: string, rules: number): IntakeEvent[] => [
  ...device(host, rules, 'edr', { customFields: { owner: ['ana'] } }),
  ...device(host, rules, 'cmdb', { customFields: { owner: [] } }, { trustedSources: ['cmdb'] }),
  ended(host, rules, 'cmdb'),
];

/** A source and a device whose last value is gone. */
const lastValue = (host: string, rules: number): IntakeEvent[] => [
  ...device(host, rules, 'edr', { customFields: { owner: ['ana'] } }),
  ...device(host, rules, 'edr', { customFields: { owner: [] } }),
  ...scanned(host, rules, 'scanner', { customFields: { team: ['web'] } }),
  ...scanned(host, rules, 'scanner', { customFields: { team: [] } }),
];
