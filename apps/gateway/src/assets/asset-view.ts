import type { AssetDto } from './asset.dto.ts';
import type { AssetCounts, AssetRow } from './assets.repository.ts';

const NO_FINDINGS: AssetCounts = {
  failed: 0,
  qualified: 0,
  accepted: 0,
  notAssessed: 0,
  edrControls: 0,
  edrFindings: 0,
};

const iso = (ms: number) => new Date(ms).toISOString();

/** What is given, or else the configured default (D5). */
export function assetView({ asset, lastSeen }: AssetRow, counts: AssetCounts = NO_FINDINGS): AssetDto {
  const typing = asset.typing ?? asset.defaults.typing;
  const { edrControls, edrFindings, ...findings } = counts;
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
    customFields: asset.customFields,
    sources: asset.sources,
    firstSeen: iso(asset.firstSeen),
    lastSeen: lastSeen === null ? null : iso(lastSeen),
    updatedAt: iso(asset.updatedAt),
    deletedAt: asset.deletedAt === null ? null : iso(asset.deletedAt),
    score: null,
    findings,
    edr: typing.supports.includes('edr') ? { controls: edrControls, findings: edrFindings } : null,
  };
}
