import { csvFormat, csvList } from '../paging/csv-format.ts';
import type { FindingItemDto } from './finding.dto.ts';

/** A finding a row; lists are separated by semicolons, times are ISO 8601 UTC. */
export const findingsCsv = csvFormat<FindingItemDto>({
  id: ({ id }) => id,
  assetId: ({ assetId }) => assetId,
  assetName: ({ assetName }) => assetName,
  type: ({ type }) => type,
  subtype: ({ subtype }) => subtype,
  name: ({ name }) => name,
  state: ({ state }) => state,
  retiredReason: ({ retiredReason }) => retiredReason,
  severity: ({ severity }) => severity.value,
  severityLevel: ({ severity }) => severity.level,
  cvssVector: ({ severity }) => severity.vector,
  cves: ({ cves }) => csvList(cves),
  techniques: ({ techniques }) => csvList(techniques),
  counted: ({ counted }) => String(counted),
  notCountedBecause: ({ notCountedBecause }) => notCountedBecause,
  instances: ({ instanceCount }) => instanceCount,
  source: ({ source }) => source,
  controlType: ({ controlType }) => controlType,
  firstSeen: ({ firstSeen }) => firstSeen,
  lastSeen: ({ lastSeen }) => lastSeen,
  expiresAt: ({ expiresAt }) => expiresAt,
  overdueSince: ({ overdueSince }) => overdueSince,
  acceptedBy: ({ accepted }) => accepted?.by ?? null,
  acceptedAt: ({ accepted }) => accepted?.at ?? null,
  acceptedUntil: ({ accepted }) => accepted?.until ?? null,
  rationale: ({ accepted }) => accepted?.rationale ?? null,
  version: ({ version }) => version,
  updatedAt: ({ updatedAt }) => updatedAt,
});
