import type { EntityDescription, Tags } from '../events.ts';
import { firstLabel, isFqdn } from '../signal/entity-key.ts';
import type { Asset } from '../state.ts';
import { merged, statementsOf, withStatement } from './statements.ts';

const LISTED_MAX = 100;

/** The first rules under which an asset keeps what each source said. */
const STATEMENTS = 5;

/** The first rules under which descriptions that may not change metadata have defaults (ADR-0159). */
const DEFAULTS_OF_ALL = 10;

/** The data of an event about an asset, and when and under which settings it was decided. */
export interface Description {
  entity: EntityDescription;
  sourceName: string | null;
  /** Source whose EDR inventory contains the asset; null if the event does not state it. */
  edrSource: string | null;
  settingsVersion: number;
  /** Of its event (R-FOLD-2). */
  rules: number;
  /** See `AssetDescribed`. */
  deviceId: string | null;
  isOfSync: boolean;
  trustedSources: string[];
  isTypeGiven: boolean;
  /** Clock of the partition. */
  at: number;
}

export function newAsset(number: number, id: string, at: number, description: Description): Asset {
  const asset = described(number, id, at, description);
  return description.rules < STATEMENTS ? asset : withStatements(asset, description);
}

function described(number: number, id: string, at: number, description: Description): Asset {
  const { entity, sourceName, edrSource, settingsVersion } = description;
  return {
    number,
    id,
    entityType: entity.type,
    name: entity.name,
    aliases: [entity.name],
    hostname: entity.hostname,
    fqdn: entity.fqdn,
    ipAddresses: entity.ipAddresses,
    macAddresses: entity.macAddresses,
    os: entity.os,
    criticality: entity.criticality,
    confidentialityRequirement: entity.confidentialityRequirement,
    integrityRequirement: entity.integrityRequirement,
    availabilityRequirement: entity.availabilityRequirement,
    department: entity.department,
    location: entity.location,
    typing: entity.typing,
    defaults: entity.defaults,
    settingsVersion,
    tags: entity.tags,
    customFields: entity.customFields,
    sources: withListed([], sourceName),
    ...(edrSource !== null && { edrSources: [edrSource] }),
    firstSeen: at,
    deletedAt: null,
    version: 1,
    updatedAt: at,
  };
}

/** Names and sources are added on every route (R-ASSET-1); they are not metadata of the sender. */
export const withNameAndSources = (
  asset: Asset,
  { entity: { name }, sourceName, edrSource }: Description,
): Asset => {
  // All names of a user are its key in some case, which sealed names do not show (ADR-0078).
  const known =
    asset.entityType === 'user' || asset.aliases.some((alias) => alias.toLowerCase() === name.toLowerCase());
  const aliases = known ? asset.aliases : withListed(asset.aliases, name);
  const sources = withListed(asset.sources, sourceName);
  const named =
    aliases === asset.aliases && sources === asset.sources ? asset : { ...asset, aliases, sources };
  if (edrSource === null) return named;
  return { ...named, edrSources: withListed(asset.edrSources ?? [], edrSource) };
};

/** Defaults are decisions of the site, not metadata of the sender: newer ones apply on every route (R-ASSET-8). */
export const withDefaults = (
  asset: Asset,
  { entity: { defaults }, settingsVersion, rules }: Description,
): Asset =>
  rules < DEFAULTS_OF_ALL || settingsVersion < asset.settingsVersion
    ? asset
    : { ...asset, defaults, settingsVersion };

export const withMetadata = (asset: Asset, description: Description): Asset =>
  isStatement(asset, description) ? withStatements(asset, description) : withGiven(asset, description);

/**
 * Earlier rules follow if versions run side by side: the statements of an asset would undo what they give. Their syncs do
 * not name the device, with which a statement ends (ADR-0154).
 */
const isStatement = ({ statements = [] }: Asset, { rules, isOfSync }: Description): boolean =>
  rules >= STATEMENTS || (statements.length > 0 && !isOfSync);

/** Keeps what the source said, and shows what all sources said: see `statements.ts`. */
function withStatements(asset: Asset, description: Description): Asset {
  const { entity, sourceName, settingsVersion, rules, deviceId, isTypeGiven, at } = description;
  const isCurrent = settingsVersion >= asset.settingsVersion;
  const { name } = names(asset, entity, rules);
  const trusted = isCurrent && isListed(description, asset) && { trustedSources: description.trustedSources };
  const named = { ...asset, name, ...trusted };
  const before = statementsOf(asset);
  const said = { source: sourceName, deviceId, entity, isTypeGiven, at, isCurrent, rules };
  const statements = withStatement(before, name, said);
  return {
    ...named,
    ...merged(named, statements, rules),
    ...(isCurrent && { defaults: entity.defaults, settingsVersion }),
    ...(statements !== before && { statements: [...statements] }),
  };
}

/** An empty list is stored only if it replaces another one. Events of earlier rules have no list. */
const isListed = ({ rules, trustedSources }: Description, asset: Asset): boolean =>
  rules >= STATEMENTS && (trustedSources.length > 0 || asset.trustedSources !== undefined);

/** Given values replace, missing ones stay; an older settings version replaces nothing it decided (R-ASSET-16). */
function withGiven(asset: Asset, { entity, settingsVersion, rules }: Description): Asset {
  const isCurrent = settingsVersion >= asset.settingsVersion;
  return {
    ...asset,
    ...names(asset, entity, rules),
    ipAddresses: orKept(entity.ipAddresses, asset.ipAddresses),
    macAddresses: orKept(entity.macAddresses, asset.macAddresses),
    criticality: entity.criticality ?? asset.criticality,
    confidentialityRequirement: entity.confidentialityRequirement ?? asset.confidentialityRequirement,
    integrityRequirement: entity.integrityRequirement ?? asset.integrityRequirement,
    availabilityRequirement: entity.availabilityRequirement ?? asset.availabilityRequirement,
    department: entity.department ?? asset.department,
    location: entity.location ?? asset.location,
    ...(isCurrent && {
      os: entity.os ?? asset.os,
      typing: entity.typing ?? asset.typing,
      defaults: entity.defaults,
      settingsVersion,
    }),
    tags: mergeTags(asset.tags, entity.tags),
    customFields: mergeTags(asset.customFields, entity.customFields),
  };
}

/** An FQDN replaces a bare host name; another FQDN than the asset's is only added to its aliases (R-ASSET-6). */
function names(
  asset: Asset,
  entity: EntityDescription,
  rules: number,
): Pick<Asset, 'name' | 'hostname' | 'fqdn'> {
  if (isFqdn(entity.name) && isFqdn(asset.name)) {
    // Under rules 1 its own FQDN was as any other.
    const isOwn = rules > 1 && entity.name.toLowerCase() === asset.name.toLowerCase();
    const hostname = isOwn ? (hostnameGiven(entity) ?? asset.hostname) : asset.hostname;
    return { name: asset.name, hostname, fqdn: asset.fqdn };
  }
  return {
    name: isFqdn(entity.name) ? entity.name : asset.name,
    hostname: entity.hostname ?? asset.hostname,
    fqdn: entity.fqdn ?? asset.fqdn,
  };
}

/**
 * Set by a tag: without one the edge stamps the name's first label, which must not replace the value of an earlier tag.
 */
const hostnameGiven = ({ name, hostname }: EntityDescription) =>
  hostname === firstLabel(name) ? null : hostname;

const orKept = (given: string[], kept: string[]) => (given.length > 0 ? given : kept);

const mergeTags = (kept: Tags, given: Tags): Tags =>
  Object.fromEntries(Object.entries({ ...kept, ...given }).sort(([a], [b]) => (a < b ? -1 : 1)));

const withListed = (list: string[], item: string | null): string[] =>
  item === null || list.includes(item) || list.length >= LISTED_MAX ? list : [...list, item].sort();
