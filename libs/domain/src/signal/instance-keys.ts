import { createHash } from 'node:crypto';
import type { ObservedInstance, Tags } from '../events.ts';
import { INSTANCES_MAX, REPEATED_CHARS_MAX } from './expansion.ts';

/** Distinguishes an instance from the others: its key, and the common tags that only it has. */
export interface InstanceName {
  key: string;
  tags: Tags;
}

/** Names of the tags that key instances, in any case. */
const PORT_TAG = 'port';
const PROTOCOL_TAG = 'protocol';
const DETECTION_TAG = 'detectionid';
/** In lower case. */
export const KEY_TAGS: ReadonlySet<string> = new Set([PORT_TAG, PROTOCOL_TAG, DETECTION_TAG]);

const HASH_CHARS = 32;

/** Joins the spellings of each tag that keys instances, so that none hides another. */
export function joinSpellings(tags: Tags): Tags {
  const joined: Tags = {};
  const firstSpellings = new Map<string, string>();
  for (const [key, values] of Object.entries(tags)) {
    const name = key.toLowerCase();
    const first = KEY_TAGS.has(name) ? (firstSpellings.get(name) ?? key) : key;
    firstSpellings.set(name, first);
    joined[first] = first === key ? values : [...new Set([...joined[first]!, ...values])];
  }
  return joined;
}

/** The values of a tag whose name is written in any case. */
function valuesOf(tags: Tags, name: string): { tag: string; values: string[] } {
  const tag = Object.keys(tags).find((key) => key.toLowerCase() === name) ?? name;
  const values = Object.hasOwn(tags, tag) ? tags[tag]! : [];
  return { tag, values: values.map((value) => value.trim()).filter((value) => value !== '') };
}

/**
 * An instance for each port, keyed `port/protocol` or `port` (R-FIND-4); none without a port. As many protocols as ports go
 * in pairs, otherwise every port has every protocol, until they are more or longer than a signal may have: the caller
 * refuses those. Each instance has only its own port and protocol as tags.
 */
export function portsOf(tags: Tags): InstanceName[] {
  const names = new Map<string, InstanceName>();
  let chars = 0;
  for (const name of portNames(tags)) {
    names.set(name.key, name);
    // In the key and again in the tags; JSON of each name would cost 8 µs a signal.
    chars += 2 * name.key.length;
    if (names.size > INSTANCES_MAX || chars > REPEATED_CHARS_MAX) break;
  }
  return [...names.values()];
}

function* portNames(tags: Tags): Generator<InstanceName> {
  const ports = valuesOf(tags, PORT_TAG);
  const protocols = valuesOf(tags, PROTOCOL_TAG);
  const inPairs = ports.values.length === protocols.values.length;
  const all = [...new Map(protocols.values.map((value) => [value.toLowerCase(), value])).values()];
  for (const [i, port] of (inPairs ? ports.values : distinct(ports.values)).entries()) {
    const own = inPairs ? [protocols.values[i]!] : all;
    if (own.length === 0) yield { key: port, tags: { [ports.tag]: [port] } };
    for (const protocol of own) {
      const key = `${port}/${protocol.toLowerCase()}`;
      yield { key, tags: { [ports.tag]: [port], [protocols.tag]: [protocol] } };
    }
  }
}

const distinct = (values: string[]): string[] => [...new Set(values)];

/** Detection ids, otherwise ports (R-FIND-5); none if a context has neither. */
export function namesOf(tags: Tags): InstanceName[] {
  const { tag, values } = valuesOf(tags, DETECTION_TAG);
  if (values.length === 0) return portsOf(tags);
  return distinct(values).map((id) => ({ key: id, tags: { [tag]: [id] } }));
}

/** A key from the observed values, so that the same observation is the same instance in every upload. */
export const observationKey = ({
  evidence,
  cves,
  techniques,
  standards,
}: Pick<ObservedInstance, 'evidence' | 'cves' | 'techniques' | 'standards'>): string =>
  createHash('sha256')
    .update(JSON.stringify([evidence, cves, techniques, standards.map(({ name, value }) => [name, value])]))
    .digest('hex')
    .slice(0, HASH_CHARS);

/** Numbers repeated keys from the second on, in their order: `443`, `443#2`, so that none hides another. */
export function numberRepeats(instances: ObservedInstance[]): ObservedInstance[] {
  const taken = new Set(instances.map(({ key }) => key));
  const seen = new Map<string, number>();
  return instances.map((instance) => {
    let count = (seen.get(instance.key) ?? 0) + 1;
    if (count > 1) while (taken.has(`${instance.key}#${count}`)) count++;
    seen.set(instance.key, count);
    if (count === 1) return instance;
    const key = `${instance.key}#${count}`;
    taken.add(key);
    return { ...instance, key };
  });
}
