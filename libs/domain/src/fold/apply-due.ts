import type { AssetState, EntityState, Finding, TrackedFinding } from '../state.ts';
import { changeFinding, dueAt, type Moment, retireFinding } from './track-finding.ts';
import { unreadDueAt, unreadOf } from './unread-findings.ts';

/** Applies what is due up to the clock, before the current event is folded (R-FOLD-3). */
export function applyDue(moment: Moment, entity: EntityState): void {
  for (const asset of entity.assets) {
    if (asset.nothingDueBefore <= moment.clock) applyDueOfAsset(moment, asset);
  }
}

function applyDueOfAsset(moment: Moment, asset: AssetState): void {
  for (const id of [...asset.findings.keys()]) {
    // An acceptance that ended may be followed by an expiry that is due as well.
    for (let tracked = asset.findings.get(id)!; dueAt(tracked) <= moment.clock; ) {
      applyNextDue(moment, asset, tracked);
      tracked = asset.findings.get(id)!;
    }
  }
  asset.nothingDueBefore = firstDueOf(asset);
}

/** When the first of the findings of an asset is due, in epoch ms; Infinity if none is. */
export function firstDueOf(asset: AssetState): number {
  let first = Number.POSITIVE_INFINITY;
  for (const tracked of asset.findings.values()) first = Math.min(first, dueAt(tracked));
  for (const unread of unreadOf(asset)) first = Math.min(first, unreadDueAt(unread));
  return first;
}

function applyNextDue(moment: Moment, asset: AssetState, tracked: TrackedFinding): void {
  const { finding, seen } = tracked;
  const end = Math.min(seen.expiresAt, seen.retainUntil);
  const acceptedUntil = finding.accepted?.until ?? null;
  if (acceptedUntil !== null && acceptedUntil < end) endAcceptance(moment, asset, tracked);
  else {
    // A late signal of a slow clock can be expired when it is folded: before that it was unknown.
    const expiredAt = Math.max(end, seen.seenAt);
    const reason = seen.expiresAt <= seen.retainUntil ? 'expired' : 'retention';
    retireFinding(moment, asset, tracked, reason, expiredAt);
  }
}

function endAcceptance(moment: Moment, asset: AssetState, { finding, seen }: TrackedFinding): void {
  const ended: Finding = { ...finding, accepted: null, state: 'NotAssessed' };
  changeFinding(moment, asset, { finding: ended, seen }, 'stateChanged', finding.state, 'acceptanceEnded');
}
