import type { AssetTyping, EntityDescription, EntityType } from '../events.ts';
import { assetTyping, type Settings, USER_TYPING } from '../settings.ts';
import { canonicalAddress, displayName, firstLabel, isFqdn, isMachineName } from './entity-key.ts';
import { isAssetType, typingByOs } from './os-mapping.ts';
import { type AttributeName, type EntityTags, readEntityTags } from './read-entity-tags.ts';
import { readLevel, readRequirement } from './read-severity.ts';
import type { RawEntityAttributes, Signal } from './signal.ts';
import { firstText, textsOf } from './tags.ts';

/** How a route treats the entity data of a signal. */
export interface EntityContext {
  route: 'json' | 'zip';
  receivedAt: number;
  settings: Settings;
}

/** Only the ZIP route sets department and location (R-ASSET-13). A user has no operating system and no host names. */
const ATTRIBUTES: Record<EntityContext['route'], Record<EntityType, ReadonlySet<AttributeName>>> = {
  json: { machine: new Set(['os', 'hostname', 'fqdn']), user: new Set() },
  zip: {
    machine: new Set(['os', 'hostname', 'fqdn', 'department', 'location']),
    user: new Set(['department', 'location']),
  },
};

const ENTITY_TYPES: Record<string, EntityType> = { machine: 'machine', user: 'user', identity: 'user' };

/** `machine`, or `user`, which is also called `identity`; null for anything else. */
export function readEntityType(text: string): EntityType | null {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(ENTITY_TYPES, word) ? ENTITY_TYPES[word]! : null;
}

/** The data of a signal about its entity, with asset type and defaults from the settings. */
export function readEntity(
  type: EntityType,
  { name, entityAttributes = {} }: Signal['entity'],
  { route, receivedAt, settings }: EntityContext,
): EntityDescription {
  const tags = readEntityTags(type === 'user' ? withTypeAsTag(entityAttributes) : entityAttributes, {
    attributes: ATTRIBUTES[route][type],
    fillsCustomFields: route === 'zip',
    settings,
    receivedAt,
  });
  const os = type === 'machine' ? osOf(entityAttributes, tags, settings) : null;
  return {
    type,
    name: displayName(name),
    ...(type === 'machine' ? namesOf(displayName(name), tags) : { hostname: null, fqdn: null }),
    ipAddresses: addressesOf(entityAttributes),
    macAddresses: macAddressesOf(entityAttributes),
    os,
    criticality: readLevel(entityAttributes.criticality),
    confidentialityRequirement: readRequirement(entityAttributes.confidentialityRequirement),
    integrityRequirement: readRequirement(entityAttributes.integrityRequirement),
    availabilityRequirement: readRequirement(entityAttributes.availabilityRequirement),
    department: tags.attributes.department ?? null,
    location: tags.attributes.location ?? null,
    typing: typingGiven(type, entityAttributes, os, settings),
    defaults: {
      department: settings.defaultDepartment,
      location: settings.defaultLocation,
      typing: type === 'user' ? USER_TYPING : assetTyping(null, settings),
    },
    tags: tags.tags,
    customFields: tags.customFields,
    unrecognisedTags: tags.unrecognised,
  };
}

/** Senders may call a user by another type, which is no asset type. */
function withTypeAsTag(given: RawEntityAttributes): RawEntityAttributes {
  const types = textsOf(given.type).filter((text) => readEntityType(text) !== 'user');
  if (types.length === 0) return given;
  return { ...given, tags: { ...given.tags, type: [...types, ...textsOf(given.tags?.type)] } };
}

/** The name itself comes first, so that an asset keeps the FQDN that it is called by; a dotted host name is one. */
function namesOf(name: string, { attributes }: EntityTags): Pick<EntityDescription, 'hostname' | 'fqdn'> {
  const given = attributes.hostname;
  const fqdn = [name, attributes.fqdn, given].find((text) => text !== undefined && isFqdn(text));
  const hostname = given ?? (isMachineName(name) ? name : undefined);
  return {
    fqdn: fqdn === undefined ? null : displayName(fqdn),
    hostname: hostname === undefined ? null : isFqdn(hostname) ? firstLabel(displayName(hostname)) : hostname,
  };
}

/** The tag, else the type, which senders use for the operating system as well as for the asset type. */
function osOf(
  { type }: RawEntityAttributes,
  { attributes }: EntityTags,
  { osMapping }: Settings,
): string | null {
  const named = firstText(textsOf(type));
  return attributes.os ?? (named !== null && !isAssetType(named, osMapping) ? named : null);
}

/** By `type`, otherwise by the operating system; null if neither is known, so that a default applies (R-ASSET-9). */
function typingGiven(
  type: EntityType,
  attributes: RawEntityAttributes,
  os: string | null,
  { osMapping }: Settings,
): AssetTyping | null {
  if (type === 'user') return USER_TYPING;
  const named = firstText(textsOf(attributes.type));
  return (
    (named === null ? null : typingByOs(named, osMapping)) ?? (os === null ? null : typingByOs(os, osMapping))
  );
}

/** Whether the asset type of a machine is that of `type`, and not that of its operating system. */
export const isTypeGiven = ({ type, typing, os }: EntityDescription, { osMapping }: Settings): boolean =>
  type === 'machine' && typing !== null && (os === null || typing !== typingByOs(os, osMapping));

const interfacesOf = ({ ipAddresses = [], networkInterface = [] }: RawEntityAttributes) => [
  ...ipAddresses,
  ...networkInterface,
];

/** In canonical form if they are addresses, as sent if they are not. */
function addressesOf(attributes: RawEntityAttributes): string[] {
  const texts = interfacesOf(attributes).flatMap(({ ipv4, ipv6 }) => [...textsOf(ipv4), ...textsOf(ipv6)]);
  return distinct(texts.map((text) => canonicalAddress(text.trim()) ?? text.trim()));
}

const MAC_DIGITS = /^[0-9a-f]{12}$/;

/** As `00:50:56:aa:bb:cc` if they are MAC addresses, as sent if they are not. */
function macAddressesOf({ networkInterface = [] }: RawEntityAttributes): string[] {
  return distinct(
    networkInterface
      .flatMap(({ macAddress }) => textsOf(macAddress))
      .map((text) => canonicalMac(text.trim())),
  );
}

function canonicalMac(text: string): string {
  const digits = text.toLowerCase().replace(/[:.-]/g, '');
  return MAC_DIGITS.test(digits) ? digits.match(/../g)!.join(':') : text;
}

const distinct = (texts: string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];
