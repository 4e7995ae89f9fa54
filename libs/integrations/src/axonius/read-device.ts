import { isObject, type Json, listOf, objectOf, textOf, textsOf } from '../json-values.ts';

/** A device of the inventory, whichever way the platform said it. Lists are without blanks and repeats. */
export interface Device {
  id: string;
  hostnames: string[];
  fqdns: string[];
  /** Host names and display names in one list. */
  names: string[];
  ipAddresses: string[];
  macAddresses: string[];
  /** Operating systems, the most precise wording first; may repeat. */
  os: string[];
  connectionLabels: string[];
  /** The platform's own tags. */
  labels: string[];
  /** Tags that adapters brought, by key. */
  adapterTags: Map<string, string[]>;
}

const VALUES_MAX = 1_000;
const TAG_KEYS_MAX = 150;

/** A reader of one field of a device: all values that any adapter gave. */
type Field = (name: string) => unknown[];

/**
 * Reads a device in each shape that the platform has: flat dotted keys (`specific_data.data.hostname`), the same with
 * `aggregated_` and underscores, and the nested entries of API v2, under `specific_data` or `event`. An aggregate may
 * be one value or a list.
 */
export function readDevice(record: Json): Device {
  const attributes = isObject(record.attributes) ? record.attributes : record;
  const field = fieldOf(attributes);
  const texts = (...names: string[]) => textsOf(names.flatMap(field), VALUES_MAX);
  return {
    id: textOf(attributes.internal_axon_id) || textOf(record.id),
    hostnames: texts('hostname'),
    fqdns: texts('fqdn'),
    names: texts('name'),
    ipAddresses: texts('network_interfaces.ips'),
    macAddresses: texts('network_interfaces.mac'),
    os: [...texts('os.type_distribution'), ...texts('os.type')],
    connectionLabels: texts('connection_label', 'last_fetch_connection_label'),
    labels: textsOf(attributes.labels, VALUES_MAX),
    adapterTags: adapterTagsOf(field),
  };
}

function fieldOf(attributes: Json): Field {
  const nested = [...listOf(attributes.specific_data), attributes.event]
    .map((entry) => objectOf(entry).data)
    .filter(isObject);
  return (name) => [
    ...flattened(attributes[`specific_data.data.${name}`]),
    ...flattened(attributes[`aggregated_${name.replaceAll('.', '_')}`]),
    ...nested.flatMap((data) => below(data, name.split('.'))),
  ];
}

const flattened = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value.flatMap(flattened) : [value];

/** Values under a path, through lists on the way. */
function below(value: unknown, path: string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return flattened(value);
  return flattened(value).flatMap((item) => (isObject(item) ? below(item[name], rest) : []));
}

/** As objects of key and value, or as two lists that go together; a tag without a value says nothing. */
function adapterTagsOf(field: Field): Map<string, string[]> {
  const pairs = field('tags').flatMap((tag) =>
    isObject(tag) ? [[tag.tag_key ?? tag.key ?? tag.name, tag.tag_value ?? tag.value]] : [],
  );
  return collected(pairs.length > 0 ? pairs : listedPairs(field));
}

function listedPairs(field: Field): unknown[][] {
  for (const [keyName, valueName] of [
    ['tags.tag_key', 'tags.tag_value'],
    ['tags.key', 'tags.value'],
  ] as const) {
    const keys = field(keyName);
    const values = field(valueName);
    // Aggregates drop repeats: lists of different lengths no longer say which value is whose.
    if (keys.length > 0 && keys.length === values.length) return keys.map((key, i) => [key, values[i]]);
  }
  return [];
}

function collected(pairs: unknown[][]): Map<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const name = textOf(key, 200);
    const values = textsOf(value, VALUES_MAX);
    if (name === '' || values.length === 0) continue;
    const known = tags.get(name) ?? [];
    if (known.length === 0 && tags.size >= TAG_KEYS_MAX) continue;
    tags.set(name, [...new Set([...known, ...values])].sort().slice(0, VALUES_MAX));
  }
  return tags;
}
