import type { PersonalKind } from '#libs/contracts';
import type { Asset, Finding, FindingSeen, ObservedInstance, Statement } from '#libs/domain';
import { withoutAddresses } from '#libs/webhooks';

/** Replaces the text of an entity, or the name of a user who acted (`person`). */
export type ReplaceMended = (
  text: string,
  kind: Extract<PersonalKind, 'entity' | 'name' | 'address' | 'person'>,
) => string;
type In = (value: unknown, replace: ReplaceMended) => unknown;

/** The empty text and null stay, as in events. */
const textOf =
  (kind: 'entity' | 'name' | 'address'): In =>
  (value, replace) =>
    typeof value === 'string' && value !== '' ? replace(value, kind) : value;
const text = textOf('entity');
const called = textOf('name');
const person: In = (value, replace) => (typeof value === 'string' ? replace(value, 'person') : value);
const each =
  (inner: In): In =>
  (value, replace) =>
    Array.isArray(value) ? value.map((one) => inner(one, replace)) : value;
/** In the order of the fold, which is that of the sealed texts. */
const ordered =
  (inner: In, textIn: (one: unknown) => string): In =>
  (value, replace) => {
    const list = inner(value, replace);
    return Array.isArray(list) ? list.toSorted((a, b) => (textIn(a) < textIn(b) ? -1 : 1)) : list;
  };
const keyOf = (instance: unknown) => (instance as Partial<ObservedInstance> | null)?.key ?? '';
const values =
  (inner: In): In =>
  (value, replace) =>
    value && Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, replace)]));
const keys: In = (value, replace) =>
  value && Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key, replace), one]));
const record =
  (fields: Record<string, In>): In =>
  (value, replace) =>
    value &&
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, fields[name] ? fields[name](one, replace) : one]),
    );

const TAGS = values(each(text));
const same: In = (value) => value;
/** The compiler requires every field of the state: a new one must say whether it is personal. */
type Fields<State> = Record<keyof State, In>;

const STATEMENT_FIELDS: Fields<Statement> = {
  source: same,
  deviceId: same,
  isEarlier: same,
  since: same,
  name: called,
  hostname: called,
  fqdn: called,
  ipAddresses: each(textOf('address')),
  macAddresses: each(text),
  os: same,
  typing: same,
  isTypeGiven: same,
  criticality: same,
  confidentialityRequirement: same,
  integrityRequirement: same,
  availabilityRequirement: same,
  department: same,
  location: same,
  tags: TAGS,
  customFields: TAGS,
};
const ASSET_FIELDS: Fields<Asset> = {
  number: same,
  id: same,
  entityType: same,
  name: called,
  aliases: ordered(each(called), String),
  hostname: called,
  fqdn: called,
  ipAddresses: each(textOf('address')),
  macAddresses: each(text),
  os: same,
  criticality: same,
  confidentialityRequirement: same,
  integrityRequirement: same,
  availabilityRequirement: same,
  department: same,
  location: same,
  typing: same,
  defaults: same,
  settingsVersion: same,
  tags: TAGS,
  customFields: TAGS,
  sources: same,
  edrSources: same,
  statements: each(record(STATEMENT_FIELDS)),
  trustedSources: same,
  firstSeen: same,
  deletedAt: same,
  erasedAt: same,
  version: same,
  updatedAt: same,
};
const INSTANCE_FIELDS: Fields<ObservedInstance> = {
  key: text,
  status: same,
  counted: same,
  workflowStatus: same,
  severity: same,
  cves: same,
  techniques: same,
  standards: same,
  evidence: text,
  tags: TAGS,
};
const FINDING_FIELDS: Fields<Finding> = {
  number: same,
  id: same,
  type: same,
  subtype: same,
  name: same,
  description: text,
  technical: text,
  businessImpact: text,
  controlType: same,
  remediation: record({ description: text, reference: text, impact: text }),
  source: same,
  confidence: same,
  state: same,
  retiredReason: same,
  instances: ordered(each(record(INSTANCE_FIELDS)), keyOf),
  accepted: record({ by: person, rationale: text }),
  heldFailed: record({ by: person }),
  triage: record({ assignee: record({ user: person }), due: record({ reason: text }) }),
  extra: text,
  firstSeen: same,
  failedSince: same,
  settledAt: same,
  version: same,
  updatedAt: same,
};
const SEEN_FIELDS: Fields<FindingSeen> = {
  seenAt: same,
  signalId: same,
  lastSeen: same,
  expiresAt: same,
  retainUntil: same,
  stamp: same,
  instanceStamps: keys,
};

/** Fields of a mend, each with its value as JSON. */
const replaced =
  (known: Readonly<Record<string, In>>) =>
  (fields: Record<string, string>, replace: ReplaceMended): Record<string, string> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, json]) => [
        name,
        known[name] ? replacedJson(json, known[name], replace) : json,
      ]),
    );

/** A text that is no JSON has no effect in the fold; it stays none. */
function replacedJson(json: string, inner: In, replace: ReplaceMended): string {
  try {
    return JSON.stringify(inner(JSON.parse(json), replace));
  } catch {
    return 'not JSON';
  }
}

export const replaceInMendedAsset = replaced(ASSET_FIELDS);
export const replaceInMendedFinding = replaced(FINDING_FIELDS);
export const replaceInMendedSeen = replaced(SEEN_FIELDS);
/** Earlier versions logged the e-mail addresses of a webhook. */
export const withoutWebhookAddresses = (details: Record<string, string>): Record<string, string> =>
  replaced({ options: (value) => value && withoutAddresses(value) })(details, (one) => one);
