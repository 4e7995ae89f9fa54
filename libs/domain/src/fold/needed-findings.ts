import type { IntakeEvent } from '../events.ts';
import { findingId } from '../signal/event-ids.ts';
import type { AssetState, EntityState, PartitionState, Stamp, UnreadFinding } from '../state.ts';
import { clockAfter, receiptTime } from './partition-clock.ts';
import type { DigestOf } from './signal-digest.ts';
import { isBefore } from './stamp.ts';
import { isRetiredUnread, unreadDueAt, unreadOf, unreadWithDigest } from './unread-findings.ts';

/** Findings of an asset that must be read before an event is folded. */
export interface NeededFindings {
  asset: AssetState;
  unread: UnreadFinding[];
  /** Ids of findings that may exist. */
  ids: string[];
}

/**
 * The unread findings whose content the fold of an event may need. Empty for an unchanged resend, and for an assessment
 * that retires nothing.
 * @param partition before the event
 */
export function neededFindings(
  partition: PartitionState,
  { assets }: EntityState,
  event: IntakeEvent,
  digestOf: DigestOf,
): NeededFindings[] {
  const needed: NeededFindings[] = [];
  for (const asset of assets) {
    if (!asset.unread) continue;
    const ids = neededIds(asset, event, digestOf);
    const unread = neededUnread(asset, partition, event);
    if (ids.length > 0 || unread.length > 0) needed.push({ asset, unread, ids });
  }
  return needed;
}

/** Findings that the event is about, unless they are in memory, or known not to exist. */
function neededIds(asset: AssetState, { payload }: IntakeEvent, digestOf: DigestOf): string[] {
  switch (payload.type) {
    case 'SignalReceived': {
      if (payload.ignored) return [];
      const changing = payload.observations.filter(
        (observation) => payload.revoked || !unreadWithDigest(asset, observation, digestOf(observation)),
      );
      return changing
        .map(({ type }) => findingId(asset.asset.id, type, payload.name))
        .filter((id) => mayBeUnread(asset, id));
    }
    case 'FindingAccepted':
    case 'FindingReverted':
    case 'FindingAssigned':
    case 'FindingTagged':
    case 'FindingDueSet':
    case 'FindingTicketsChanged':
    case 'FindingCommented':
      return [payload.findingId].filter((id) => mayBeUnread(asset, id));
    default:
      return [];
  }
}

const mayBeUnread = ({ findings, unread }: AssetState, id: string): boolean =>
  !findings.has(id) && !unread!.absent.has(id);

const NONE: UnreadFinding[] = [];

/** Findings that the event concerns whichever they are, or that are due at its time. */
function neededUnread(asset: AssetState, partition: PartitionState, event: IntakeEvent): UnreadFinding[] {
  const { payload } = event;
  switch (payload.type) {
    case 'EntityMended':
      return [...unreadOf(asset)];
    case 'AssetDeleted':
    case 'SubjectErased':
      return [...unreadOf(asset)].filter((unread) => !isRetiredUnread(unread));
    default: {
      const clock = clockAfter(partition.clock, event);
      const mayBeDue = asset.nothingDueBefore <= clock;
      const replaced = payload.type === 'AssessmentClosed' ? stampOf(partition, event) : null;
      if (!mayBeDue && !replaced) return NONE;
      return [...unreadOf(asset)].filter(
        (unread) => unreadDueAt(unread) <= clock || (replaced !== null && mayBeReplaced(unread, replaced)),
      );
    }
  }
}

/** As `advanceUpload` gives it to the upload of the event. */
function stampOf({ uploads }: PartitionState, { envelope }: IntakeEvent): Stamp {
  const uploadId = envelope.cause.uploadId!;
  return uploads.get(uploadId)?.stamp ?? { at: receiptTime(envelope), uploadId };
}

/** Whether closing an assessment may retire it, or some of its instances, if it has a closed type. */
function mayBeReplaced(unread: UnreadFinding, stamp: Stamp): boolean {
  if (isRetiredUnread(unread)) return false;
  const { seen } = unread;
  return (
    isBefore(seen.stamp, stamp) ||
    Object.values(seen.instanceStamps ?? {}).some((one) => isBefore(one, stamp))
  );
}
