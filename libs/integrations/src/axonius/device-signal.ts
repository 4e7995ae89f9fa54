import { displayName, entityKey, isFqdn, isLoopbackName, type OsMapping, type RawTags } from '#libs/domain';
import { addressFields, macFields } from '../addresses.ts';
import type { PulledSignal } from '../connector.ts';
import { preciseOsText } from '../os-text.ts';
import { pulledSignalId } from '../signal-id.ts';
import type { Device } from './read-device.ts';

/** The custom fields of the inventory (R-INV-3). */
const INVENTORY_FIELDS = {
  connectionLabel: 'assetinventory-connection-label',
  tags: 'assetinventory-tags',
  id: 'assetinventory-id',
} as const;

const NAME_CHARS_MAX = 1024;
const CANDIDATES_MAX = 50;

/** Names that an asset may be found by, in this order: host names, FQDNs, then names. None that every machine has. */
export function candidateNames({ hostnames, fqdns, names }: Device): string[] {
  const isCandidate = (name: string) => name !== '' && name.length <= NAME_CHARS_MAX && !isLoopbackName(name);
  const all = [...hostnames, ...fqdns, ...names].map(displayName);
  return [...new Set(all.filter(isCandidate))].slice(0, CANDIDATES_MAX);
}

/**
 * The device as a signal that only describes the asset that one of its names was found to mean. Only custom fields
 * that exist are filled (R-INV-3): everything else of the inventory is left out.
 */
export function deviceSignal(
  device: Device,
  matched: string,
  source: string,
  known: { customFields: ReadonlySet<string>; osMapping: OsMapping },
): PulledSignal {
  const [fqdn = null] = ownFqdns(device, matched);
  const os = preciseOsText(device.os, known.osMapping);
  return {
    id: pulledSignalId(source, 'device', device.id, matched),
    ...(device.id !== '' && { deviceId: device.id }),
    entityOnly: true,
    name: 'Device of the asset inventory',
    source: { name: source },
    entity: {
      type: 'machine',
      name: isFqdn(matched) ? matched : (fqdn ?? matched),
      entityAttributes: {
        ipAddresses: addressFields(device.ipAddresses),
        networkInterface: macFields(device.macAddresses),
        ...(fqdn !== null && { fqdn }),
        tags: { ...customFieldsOf(device, known.customFields), ...(os !== null && { os }) },
      },
    },
  };
}

/** The FQDNs of the same entity: another one that an adapter reports would be another machine. */
export function ownFqdns({ fqdns, hostnames, names }: Device, matched: string): string[] {
  const key = entityKey('machine', matched);
  const isSame = (name: string) => isFqdn(name) && entityKey('machine', name) === key;
  return [...fqdns, ...hostnames, ...names].map(displayName).filter(isSame);
}

/**
 * The fields of the document take precedence over an adapter's tag of the same name. They are the inventory's own and said
 * without a value too; a field that an adapter's tag fills may be anybody's.
 */
function customFieldsOf(device: Device, known: ReadonlySet<string>): RawTags {
  const { connectionLabel, tags, id } = INVENTORY_FIELDS;
  const given: [string, string[]][] = [
    ...device.adapterTags,
    [connectionLabel, device.connectionLabels],
    [tags, device.labels],
  ];
  if (device.id !== '') given.push([id, [device.id]]);
  return Object.fromEntries(given.filter(([key]) => known.has(key)));
}
