import type { Asset, Tags } from '#libs/domain';

/** What is told of an asset wherever it is told, but its times: see `assetFacts`. */
export type AssetFacts = ReturnType<typeof assetFacts>;

/**
 * An asset in the words of the API (api.md: assets), as far as they are the same for a reader and for a subscriber:
 * everything but times, version and counts. Type, attack surface, department and location are what is given, or else
 * the configured default (D5).
 */
export function assetFacts(asset: Asset) {
  const typing = asset.typing ?? asset.defaults.typing;
  return {
    id: asset.id,
    entityType: asset.entityType,
    name: asset.name,
    aliases: asset.aliases,
    hostname: asset.hostname,
    fqdn: asset.fqdn,
    ipAddresses: asset.ipAddresses,
    macAddresses: asset.macAddresses,
    os: asset.os,
    type: typing.type,
    attackSurface: typing.attackSurface,
    department: asset.department ?? asset.defaults.department,
    location: asset.location ?? asset.defaults.location,
    criticality: asset.criticality,
    confidentialityRequirement: asset.confidentialityRequirement,
    integrityRequirement: asset.integrityRequirement,
    availabilityRequirement: asset.availabilityRequirement,
    tags: asset.tags,
    customFields: withValues(asset.customFields),
    sources: asset.sources,
  };
}

/** An integration empties a field whose last value is gone at its platform. */
const withValues = (fields: Tags): Tags =>
  Object.fromEntries(Object.entries(fields).filter(([, values]) => values.length > 0));
