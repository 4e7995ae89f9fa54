import { type Asset, isEdrManaged, withValues } from '#libs/domain';

/**
 * The fields of an asset in the API that are the same for a reader and for a subscriber: everything but times, version
 * and counts. Type, attack surface, department and location are the sent ones, otherwise the configured defaults
 * (R-ASSET-8).
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
    isEdrManaged: isEdrManaged(asset),
  };
}
