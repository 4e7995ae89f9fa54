import { csvList } from '#libs/csv';
import { csvFormat } from '../paging/csv-format.ts';
import type { AssetDto } from './asset.dto.ts';

const values = (named: Record<string, string[]>): string =>
  csvList(Object.entries(named).flatMap(([name, all]) => all.map((value) => `${name}=${value}`)));

/** An asset a row; lists are separated by semicolons, tags and custom fields `name=value`, times ISO 8601 UTC. */
export const assetsCsv = csvFormat<AssetDto>({
  id: ({ id }) => id,
  entityType: ({ entityType }) => entityType,
  name: ({ name }) => name,
  aliases: ({ aliases }) => csvList(aliases),
  hostname: ({ hostname }) => hostname,
  fqdn: ({ fqdn }) => fqdn,
  ipAddresses: ({ ipAddresses }) => csvList(ipAddresses),
  macAddresses: ({ macAddresses }) => csvList(macAddresses),
  os: ({ os }) => os,
  type: ({ type }) => type,
  attackSurface: ({ attackSurface }) => attackSurface,
  department: ({ department }) => department,
  location: ({ location }) => location,
  criticality: ({ criticality }) => criticality,
  confidentialityRequirement: ({ confidentialityRequirement }) => confidentialityRequirement,
  integrityRequirement: ({ integrityRequirement }) => integrityRequirement,
  availabilityRequirement: ({ availabilityRequirement }) => availabilityRequirement,
  tags: ({ tags }) => values(tags),
  customFields: ({ customFields }) => values(customFields),
  sources: ({ sources }) => csvList(sources),
  isEdrManaged: ({ isEdrManaged }) => String(isEdrManaged),
  firstSeen: ({ firstSeen }) => firstSeen,
  lastSeen: ({ lastSeen }) => lastSeen,
  updatedAt: ({ updatedAt }) => updatedAt,
  score: ({ score }) => score,
  failed: ({ findings }) => findings.failed,
  qualified: ({ findings }) => findings.qualified,
  accepted: ({ findings }) => findings.accepted,
  notAssessed: ({ findings }) => findings.notAssessed,
  ownerType: ({ owner }) => owner?.type ?? null,
  owner: ({ owner }) => owner?.name ?? null,
});
