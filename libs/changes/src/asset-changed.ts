import type { AssetChanged, ChangeCause } from '#libs/contracts';
import type { Asset } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';

/** A row of `asset_history` with what subscribers are told beside it. */
export interface AssetHistoryRow {
  sequence: number;
  at: number;
  change: string;
  cause: ChangeCause;
  log_offset: number;
  state: Asset;
  last_seen: number;
}

/** The asset as its row of the history has it, in the words of the API: what is given, or else the default (D5). */
export function assetChanged(row: AssetHistoryRow, partition: number): AssetChanged {
  const { state: asset } = row;
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
    customFields: asset.customFields,
    sources: asset.sources,
    firstSeen: asset.firstSeen,
    lastSeen: row.last_seen,
    deletedAt: asset.deletedAt,
    version: asset.version,
    updatedAt: asset.updatedAt,
    change: {
      name: row.change,
      at: row.at,
      cause: row.cause,
      sequence: row.sequence,
      position: { topic: INTAKE_TOPIC, partition, offset: row.log_offset },
    },
  };
}
