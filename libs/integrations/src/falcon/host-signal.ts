import { displayName, type OsMapping, type RawTags } from '#libs/domain';
import { addressFields, macFields } from '../addresses.ts';
import type { PulledSignal } from '../connector.ts';
import { type Json, textOf, textsOf } from '../json-values.ts';
import { osText } from '../os-text.ts';
import { pulledSignalId } from '../signal-id.ts';
import { hostName } from './host-name.ts';

/** The custom field for a host's tags (R-EDR-5). */
const EDR_TAGS_FIELD = 'edrsource-tags';

/** Tags of a host or values of a list; more than any platform allows. */
const TAGS_MAX = 500;

/** Names of operating systems that the platform calls differently. */
const PLATFORM_WORDS = new Map([
  ['mac', 'macOS'],
  ['k8s', 'Kubernetes'],
]);

/**
 * A host as a signal that only describes its entity. Without a host name it is called by its device id, as its
 * detections are: never by an address, which DHCP gives to another one (R-EDR-3). Null if it has no id either.
 */
export function hostSignal(host: Json, source: string, osMapping: OsMapping): PulledSignal | null {
  const id = displayName(textOf(host.device_id, ID_CHARS_MAX));
  const name = hostName(host) ?? id;
  if (name === '') return null;
  return {
    id: pulledSignalId(source, 'host', id || name),
    ...(id !== '' && { deviceId: id }),
    entityOnly: true,
    name: 'Host of the EDR platform',
    source: { name: source },
    entity: {
      type: 'machine',
      name,
      entityAttributes: {
        ipAddresses: addressFields([textOf(host.local_ip), textOf(host.external_ip)]),
        networkInterface: macFields(textsOf(host.mac_address, 1)),
        tags: tagsOf(host, osMapping),
      },
    },
  };
}

const ID_CHARS_MAX = 200;

function tagsOf(host: Json, osMapping: OsMapping): RawTags {
  const os = osText(osCandidates(host), osMapping);
  const tags = textsOf(host.tags, TAGS_MAX);
  // An empty list is said too: the host has lost its last tag.
  const isKnown = tags.length > 0 || Array.isArray(host.tags);
  return { ...(os !== null && { os }), ...(isKnown && { [EDR_TAGS_FIELD]: tags }) };
}

/** Only `os_version` if the mapping knows it: that is the field the mapping is made for (spec, point 3). */
function osCandidates(host: Json): string[] {
  const version = textOf(host.os_version, OS_CHARS_MAX);
  const given = textOf(host.platform_name, OS_CHARS_MAX);
  const platform = PLATFORM_WORDS.get(given.toLowerCase()) ?? given;
  return version !== '' && platform !== '' ? [version, `${version} (${platform})`] : [version, platform];
}

const OS_CHARS_MAX = 200;
