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

/** An event, and the digests of what it says. */
interface EventToFold {
  event: IntakeEvent;
  digestOf: DigestOf;
}

/**
 * The unread findings whose content the fold of events may need, as far as that is known before the first of them. Empty
 * for unchanged resends, and for assessments that retire nothing.
 * @param partition before the events
 * @param events of the entity
 */
export function neededFindings(
  partition: PartitionState,
  { assets }: EntityState,
  events: readonly EventToFold[],
): NeededFindings[] {
  const needed: NeededFindings[] = [];
  let reach: Reach | undefined;
  for (const asset of assets) {
    if (!asset.unread) continue;
    reach ??= reachOf(partition, events);
    const ids = new Set(events.flatMap(({ event, digestOf }) => neededIds(asset, event, digestOf)));
    const unread = neededUnread(asset, reach);
    if (ids.size > 0 || unread.length > 0) needed.push({ asset, unread, ids: [...ids] });
  }
  return needed;
}

/** Findings that the event is about, unless they are in memory, or known not to exist. */
function neededIds(asset: AssetState, { payload }: IntakeEvent, digestOf: DigestOf): string[] {
  if ('findingId' in payload) return [payload.findingId].filter((id) => mayBeUnread(asset, id));
  if (payload.type !== 'SignalReceived' || payload.ignored) return [];
  const changing = payload.observations.filter(
    (observation) => payload.revoked || !unreadWithDigest(asset, observation, digestOf(observation)),
  );
  return changing
    .map(({ type }) => findingId(asset.asset.id, type, payload.name))
    .filter((id) => mayBeUnread(asset, id));
}

const mayBeUnread = ({ findings, unread }: AssetState, id: string): boolean =>
  !findings.has(id) && !unread!.absent.has(id);

/** Findings that events concern whichever they are. */
interface Reach {
  /** All, all that are not Retired, or none of them as such. */
  of: 'all' | 'active' | 'none';
  /** All of an asset that was last seen before this time: it may be deleted. */
  deleteIdleSince: number;
  /** Those that are due at this time. */
  clock: number;
  /** Those that assessments with these stamps may replace. */
  replaced: Stamp[];
}

function reachOf(partition: PartitionState, events: readonly EventToFold[]): Reach {
  const reach: Reach = {
    of: 'none',
    deleteIdleSince: Number.NEGATIVE_INFINITY,
    clock: Number.NEGATIVE_INFINITY,
    replaced: [],
  };
  for (const { event } of events) {
    const { payload } = event;
    switch (payload.type) {
      case 'EntityMended':
      // A deletion ends the verdicts on retired controls too.
      case 'AssetDeleted':
        reach.of = 'all';
        break;
      case 'SubjectErased':
        if (reach.of === 'none') reach.of = 'active';
        break;
      default:
        reach.clock = Math.max(reach.clock, clockAfter(partition.clock, event));
        if (payload.type === 'AssessmentClosed') reach.replaced.push(stampOf(partition, event));
        if (payload.type === 'EntitySwept' && payload.deleteIdleSince !== null)
          reach.deleteIdleSince = Math.max(reach.deleteIdleSince, payload.deleteIdleSince);
    }
  }
  return reach;
}

const NONE: UnreadFinding[] = [];

function neededUnread(asset: AssetState, { of, deleteIdleSince, clock, replaced }: Reach): UnreadFinding[] {
  const isAll = of === 'all' || asset.lastSeen < deleteIdleSince;
  if (!isAll && of === 'none' && asset.nothingDueBefore > clock && replaced.length === 0) return NONE;
  const isNeeded = (unread: UnreadFinding) =>
    isAll ||
    (of === 'active' && !isRetiredUnread(unread)) ||
    unreadDueAt(unread) <= clock ||
    replaced.some((stamp) => mayBeReplaced(unread, stamp));
  return [...unreadOf(asset)].filter(isNeeded);
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
