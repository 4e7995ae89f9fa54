import type { AssetChanged, FindingChanged } from '#libs/contracts';

/** The change of a larger stored state is abridged: brokers and subscribers have their own size limits. */
export const STATE_BYTES_MAX = 1024 * 1024;

/**
 * Bytes of JSON that an abridged change has of each part. With the fields of bounded length, a change has less than 4 MB:
 * as a record too, because a value has never more bytes in Avro.
 */
export const PART_BYTES_MAX = {
  /** Description and remediation. */
  texts: 2 * 1024 * 1024,
  instances: 1024 * 1024,
  /** CVEs, and as many of techniques. */
  ids: 256 * 1024,
  /** Each list of an asset, its tags and its custom fields. */
  ofAsset: 512 * 1024,
};

/** A finding as a record can have it; instances without what is large in them. */
export function abridgedFinding(changed: FindingChanged): FindingChanged {
  const { description, remediation } = changed;
  const texts = [
    description,
    remediation?.description ?? null,
    remediation?.reference ?? null,
    remediation?.impact ?? null,
  ];
  const [text = null, remedy = null, reference = null, impact = null] = firstOf(texts, PART_BYTES_MAX.texts);
  const instances = changed.instances.map((instance) => ({ ...instance, evidence: null, tags: {} }));
  return {
    ...changed,
    description: text,
    cves: firstOf(changed.cves, PART_BYTES_MAX.ids),
    techniques: firstOf(changed.techniques, PART_BYTES_MAX.ids),
    instances: firstOf(instances, PART_BYTES_MAX.instances),
    abridged: true,
    remediation: remediation && { description: remedy, reference, impact },
  };
}

/** An asset as a record can have it. */
export function abridgedAsset(changed: AssetChanged): AssetChanged {
  const first = <T>(items: T[]) => firstOf(items, PART_BYTES_MAX.ofAsset);
  return {
    ...changed,
    aliases: first(changed.aliases),
    ipAddresses: first(changed.ipAddresses),
    macAddresses: first(changed.macAddresses),
    tags: Object.fromEntries(first(Object.entries(changed.tags))),
    customFields: Object.fromEntries(first(Object.entries(changed.customFields))),
    sources: first(changed.sources),
    abridged: true,
  };
}

/** The first items that have at most so many bytes of JSON, each with its comma. */
function firstOf<T>(items: T[], bytesMax: number): T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > bytesMax;
  });
  return end < 0 ? items : items.slice(0, end);
}
