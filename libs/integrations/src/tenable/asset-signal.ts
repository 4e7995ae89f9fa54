import { isFqdn, type OsMapping, type RawTags } from '#libs/domain';
import { addressFields, macFields } from '../addresses.ts';
import type { PulledSignal } from '../connector.ts';
import { type Json, listOf, objectOf, textOf, textsOf } from '../json-values.ts';
import { preciseOsText } from '../os-text.ts';
import { pulledSignalId } from '../signal-id.ts';
import { assetName } from './host-name.ts';

const ID_CHARS_MAX = 200;
const VALUES_MAX = 1_000;
const TAGS_MAX = 1_000;
const OS_CHARS_MAX = 200;

/** An asset of the scanner. */
export interface ScannedAsset {
  /** Empty if the platform sends none. */
  id: string;
  /** Null if it has neither name, address nor id. */
  name: string | null;
  fqdn: string | null;
  addresses: string[];
  macAddresses: string[];
  os: string[];
  /** Tag category → values. */
  tags: Map<string, string[]>;
  /** It was deleted on the platform, or terminated in its cloud. */
  isGone: boolean;
}

export function readAsset(record: Json): ScannedAsset {
  const network = objectOf(record.network);
  const timestamps = objectOf(record.timestamps);
  const list = (value: unknown) => textsOf(value, VALUES_MAX);
  const id = textOf(record.id, ID_CHARS_MAX);
  const addresses = [...list(network.ipv4s), ...list(network.ipv6s)];
  const name = assetName({
    fqdns: list(network.fqdns),
    hostnames: list(network.hostnames),
    netbiosNames: list(network.netbios_names),
    agentNames: list(record.agent_names),
    addresses,
    id,
  });
  return {
    id,
    name,
    fqdn: name !== null && isFqdn(name) ? name : null,
    addresses,
    macAddresses: list(network.mac_addresses),
    os: textsOf(record.operating_systems, VALUES_MAX, OS_CHARS_MAX),
    tags: tagsOf(record),
    isGone: [timestamps.deleted_at, timestamps.terminated_at].some((at) => textOf(at) !== ''),
  };
}

function tagsOf({ tags }: Json): Map<string, string[]> {
  const read = new Map<string, string[]>();
  for (const tag of listOf(tags).slice(0, TAGS_MAX).map(objectOf)) {
    const [key, value] = [textOf(tag.key, 200), textOf(tag.value)];
    if (key !== '' && value !== '') read.set(key, [...(read.get(key) ?? []), value].sort());
  }
  return read;
}

/** The asset as a signal that only describes it. Its tags fill custom fields that exist with the name of the category. */
export function assetSignal(
  { id, name, fqdn, addresses, macAddresses, os, tags }: ScannedAsset & { name: string },
  source: string,
  known: { customFields: ReadonlySet<string>; osMapping: OsMapping },
): PulledSignal {
  const system = preciseOsText(os, known.osMapping);
  const fields: RawTags = Object.fromEntries([...tags].filter(([key]) => known.customFields.has(key)));
  return {
    id: pulledSignalId(source, 'asset', id || name),
    ...(id !== '' && { deviceId: id }),
    entityOnly: true,
    name: 'Asset of the vulnerability scanner',
    source: { name: source },
    entity: {
      type: 'machine',
      name,
      entityAttributes: {
        ipAddresses: addressFields(addresses),
        networkInterface: macFields(macAddresses),
        ...(fqdn !== null && { fqdn }),
        tags: { ...fields, ...(system !== null && { os: system }) },
      },
    },
  };
}
