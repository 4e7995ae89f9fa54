import { type AssetState, dueAt, type Envelope } from '#libs/domain';

/** When the first of an asset's findings falls due by time alone, in epoch ms; null if none does. */
export function firstDue({ findings }: AssetState): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (const tracked of findings.values()) first = Math.min(first, dueAt(tracked));
  return first === Number.POSITIVE_INFINITY ? null : first;
}

/** The last signal of a live asset without active findings, in epoch ms; null for any other. */
export function idleSince({ asset, lastSeen, findings }: AssetState): number | null {
  if (asset.deletedAt !== null) return null;
  for (const { finding } of findings.values()) if (finding.state !== 'Retired') return null;
  return lastSeen;
}

/** The cause in a history item. */
export const causeOf = ({ id, cause }: Envelope) => ({
  eventId: id,
  kind: cause.kind,
  uploadId: cause.uploadId,
  entry: cause.entry,
  syncId: cause.syncId,
  user: cause.user,
  requestId: cause.requestId,
});
