import type { Observation } from '../events.ts';
import type { AssetState, TrackedFinding, UnreadFinding, UnreadFindings } from '../state.ts';
import { RETIRED_DIGEST } from './signal-digest.ts';
import { dueAt, type Moment } from './track-finding.ts';

const noUnreadFindings = (): UnreadFindings => ({
  byNumber: new Map(),
  byDigest: new Map(),
  absent: new Set(),
});

/** A copy that a fold can change. */
export function copyUnread({ byNumber, absent }: UnreadFindings): UnreadFindings {
  const copied = [...byNumber.values()].map((finding) => ({ ...finding }));
  return {
    byNumber: new Map(copied.map((finding) => [finding.number, finding])),
    byDigest: new Map(copied.filter(hasSignalDigest).map((finding) => [finding.digest, finding])),
    absent: new Set(absent),
  };
}

const NONE: readonly UnreadFinding[] = [];

/** The findings of an asset whose content is not in memory. */
export const unreadOf = ({ unread }: AssetState): Iterable<UnreadFinding> =>
  unread?.byNumber.values() ?? NONE;

export const isRetiredUnread = ({ digest }: UnreadFinding): boolean => digest === RETIRED_DIGEST;

const hasSignalDigest = (finding: UnreadFinding): finding is UnreadFinding & { digest: string } =>
  finding.digest !== null && !isRetiredUnread(finding);

/** As `dueAt`: it has no acceptance that could end. */
export const unreadDueAt = (unread: UnreadFinding): number =>
  isRetiredUnread(unread)
    ? Number.POSITIVE_INFINITY
    : Math.min(unread.seen.expiresAt, unread.seen.retainUntil);

/**
 * The unread finding that data of a signal leaves as it is. Data that sets single instances also needs the stamps of the
 * others, which the finding has unless a version without digests has folded a signal with all instances.
 */
export function unreadWithDigest(
  { unread }: AssetState,
  { mode }: Observation,
  digest: string | null,
): UnreadFinding | undefined {
  const found = digest === null ? undefined : unread?.byDigest.get(digest);
  return found && (mode === 'whole' || found.seen.instanceStamps !== null) ? found : undefined;
}

/** Adds a finding whose content is not read. Its number is the greatest so far. */
export function addUnread(asset: AssetState, finding: UnreadFinding): void {
  asset.unread ??= noUnreadFindings();
  asset.unread.byNumber.set(finding.number, finding);
  if (hasSignalDigest(finding)) asset.unread.byDigest.set(finding.digest, finding);
  asset.nothingDueBefore = Math.min(asset.nothingDueBefore, unreadDueAt(finding));
}

/** Notes that an unread finding was seen, unchanged. */
export function trackUnread({ effects }: Moment, asset: AssetState, finding: UnreadFinding): void {
  asset.nothingDueBefore = Math.min(asset.nothingDueBefore, unreadDueAt(finding));
  effects.touchedUnread.set(finding, asset);
}

/** Puts findings in their places whose content was read; those of the asset are in the order of their numbers again. */
export function placeRead(asset: AssetState, read: readonly TrackedFinding[]): void {
  if (read.length === 0) return;
  const { unread } = asset;
  for (const tracked of read) {
    const { finding } = tracked;
    asset.nothingDueBefore = Math.min(asset.nothingDueBefore, dueAt(tracked));
    const known = unread?.byNumber.get(finding.number);
    if (!known) continue;
    known.id = finding.id;
    unread!.byNumber.delete(known.number);
    if (hasSignalDigest(known)) unread!.byDigest.delete(known.digest);
  }
  if (unread?.byNumber.size === 0) asset.unread = undefined;
  const all = [...asset.findings.values(), ...read].sort((a, b) => a.finding.number - b.finding.number);
  asset.findings.clear();
  for (const tracked of all) asset.findings.set(tracked.finding.id, tracked);
}
