import type { Tags } from '../events.ts';
import type { CustomField, Settings } from '../settings.ts';
import type { RawEntityAttributes, RawTags, TagScalar } from './signal.ts';
import { textsOf } from './tags.ts';

export type AttributeName = 'location' | 'department' | 'os' | 'hostname' | 'fqdn';

/** Tags that are attributes of the entity, in any case (R-SIG-11). */
const ATTRIBUTES: Record<string, AttributeName> = {
  location: 'location',
  locationname: 'location',
  dept: 'department',
  department: 'department',
  departmentname: 'department',
  os: 'os',
  hostname: 'hostname',
  fqdn: 'fqdn',
};

/** Keys with another meaning that are not attributes here: never reported as unrecognised (R-ASSET-19). */
const OTHER_BUILT_IN = new Set([
  ...['ip', 'ipv4', 'ipv6', 'ipaddress', 'ipaddresses', 'mac', 'macaddress', 'macaddresses'],
  ...['port', 'protocol', 'detectionid', 'detectiontime'],
]);

/** Whether a tag with this key has a meaning of its own, so that it fills no custom field. */
export const isBuiltInKey = (key: string): boolean => {
  const word = key.toLowerCase();
  return Object.hasOwn(ATTRIBUTES, word) || OTHER_BUILT_IN.has(word);
};

/** An entity's tags by their meaning. */
export interface EntityTags {
  attributes: Partial<Record<AttributeName, string>>;
  customFields: Tags;
  /** What neither an attribute nor a custom field took; the unrecognised ones too. */
  tags: Tags;
  unrecognised: string[];
}

export interface TagRules {
  /** Attributes that this route may set; tags of others stay plain (R-ASSET-13). */
  attributes: ReadonlySet<AttributeName>;
  /** false: custom fields stay plain tags. */
  fillsCustomFields: boolean;
  settings: Pick<Settings, 'customFields'>;
  /** Fields recognised later than this are not yet filled (R-ASSET-18); epoch milliseconds. */
  receivedAt: number;
}

/** Attributes that format 2.x writes as fields. */
type AttributeFields = Pick<RawEntityAttributes, 'fqdn' | 'department' | 'location'>;

/**
 * Sorts an entity's tags into attributes, custom fields and plain tags; keys sorted, nothing is lost (R-ASSET-19). A field
 * is read as a tag, before all tags of its attribute (R-SIG-12).
 */
export function readEntityTags(
  { fqdn, department, location, tags: sent = {} }: AttributeFields & { tags?: RawTags },
  rules: TagRules,
): EntityTags {
  const read: EntityTags = { attributes: {}, customFields: {}, tags: {}, unrecognised: [] };
  const tags = { ...sent };
  for (const [name, field] of Object.entries({ fqdn, department, location })) {
    if (field !== undefined)
      tags[name] = take(name, [...textsOf(field), ...textsOf(sent[name])], rules, read);
  }
  for (const key of Object.keys(tags).sort()) {
    if (key === '__proto__') continue;
    const rest = take(key, tags[key]!, rules, read);
    if (rest.length > 0) read.tags[key] = rest;
  }
  return read;
}

/** Returns the values that are left as a plain tag. */
function take(key: string, value: TagScalar | TagScalar[], rules: TagRules, read: EntityTags): string[] {
  const values = textsOf(value);
  const word = key.toLowerCase();
  const attribute = Object.hasOwn(ATTRIBUTES, word) ? ATTRIBUTES[word]! : null;
  if (attribute !== null)
    return rules.attributes.has(attribute) ? takeAttribute(attribute, values, read) : values;
  if (OTHER_BUILT_IN.has(word)) return values;
  const field = recognisedField(key, rules);
  if (field && !rules.fillsCustomFields) return values;
  const taken = field ? valuesFor(field, values) : [];
  if (taken.length > 0) read.customFields[key] = taken;
  const rest = taken.length === 0 ? values : values.filter((text) => !taken.includes(text));
  if (rest.length > 0) read.unrecognised.push(key);
  return rest;
}

/** The first value that says something; an attribute given before takes precedence. */
function takeAttribute(attribute: AttributeName, values: string[], read: EntityTags): string[] {
  if (read.attributes[attribute] !== undefined) return values;
  const text = values.find((value) => value.trim() !== '');
  if (text === undefined) return [];
  read.attributes[attribute] = text.trim();
  return values.filter((value) => value !== text);
}

const recognisedField = (key: string, { settings, receivedAt }: TagRules): CustomField | undefined =>
  settings.customFields.find(({ name, recognisedAt }) => name === key && recognisedAt <= receivedAt);

function valuesFor({ type, options, multiValued }: CustomField, values: string[]): string[] {
  const fitting = type === 'Select' ? values.filter((value) => options.includes(value)) : values;
  return multiValued ? fitting : fitting.slice(0, 1);
}
