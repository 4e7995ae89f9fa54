import { type Finding, isoTime } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { abridgeChanges } from './abridge-changes.ts';
import type { HistoryItemDto } from './finding.dto.ts';
import { findingDifference } from './finding-difference.ts';
import type { HistoryRow } from './read-history.ts';

/**
 * A change of a finding as readers see it.
 * @param before the finding as the change before left it; null at its creation
 * @returns without the integration of its sync, which the change does not hold
 */
export const historyItem = (row: HistoryRow, before: Finding | null): HistoryItemDto => ({
  at: isoTime(row.at),
  change: row.change,
  from: row.fromState,
  to: row.toState,
  reason: row.reason,
  version: row.finding.version,
  ...abridgeChanges(findingDifference(before, row.finding)),
  cause: {
    eventId: row.cause.eventId,
    kind: row.cause.kind,
    uploadId: row.cause.uploadId,
    entry: row.cause.entry,
    syncId: row.cause.syncId,
    integrationId: null,
    user: row.cause.user,
    requestId: row.cause.requestId,
  },
  position: { topic: INTAKE_TOPIC, partition: row.partition, offset: row.logOffset },
});
