import type { AssetState, Finding, FindingState, RetiredReason, TrackedFinding } from '../state.ts';
import type { ChangeReason, Effects, FindingChangeName } from './effects.ts';
import { FAILING_PERIODS, withFailingPeriod } from './failing-period.ts';
import type { DigestOf } from './signal-digest.ts';

/** Context while one event is folded. */
export interface Moment {
  /** The partition's clock: changes are stamped with it (R-FOLD-3). */
  clock: number;
  /** Number of the rules of the event (R-FOLD-2). */
  rules: number;
  effects: Effects;
  digestOf: DigestOf;
}

/** The next time at which a finding changes without an event; Infinity once it is retired. */
export function dueAt({ finding, seen }: TrackedFinding): number {
  if (finding.state === 'Retired') return Number.POSITIVE_INFINITY;
  const acceptanceEnd = finding.accepted?.until ?? Number.POSITIVE_INFINITY;
  return Math.min(seen.expiresAt, seen.retainUntil, acceptanceEnd);
}

/** Puts a finding that was seen, changed or not, in its place. */
export function trackFinding({ effects }: Moment, asset: AssetState, tracked: TrackedFinding): void {
  asset.findings.set(tracked.finding.id, tracked);
  asset.nothingDueBefore = Math.min(asset.nothingDueBefore, dueAt(tracked));
  effects.touchedFindings.set(tracked.finding.id, asset);
}

/** A change of a finding: one version, one history item. It moves the failing period of the finding. */
export function changeFinding(
  moment: Moment,
  asset: AssetState,
  { finding, seen, digest }: TrackedFinding,
  change: FindingChangeName,
  from: FindingState | null,
  reason: RetiredReason | ChangeReason | null = null,
  expiredAt: number | null = null,
): void {
  // A period moves also under earlier rules, which follow if versions run side by side (ADR-0154).
  const hasPeriod = moment.rules >= FAILING_PERIODS || typeof finding.failedSince === 'number';
  const changed = hasPeriod ? withFailingPeriod(finding, from, expiredAt ?? moment.clock) : finding;
  recordChange(moment, asset, { finding: changed, seen, digest }, change, from, reason, expiredAt);
}

/** As `changeFinding`, of a finding whose failing period is given. */
export function recordChange(
  moment: Moment,
  asset: AssetState,
  { finding: changed, seen, digest }: TrackedFinding,
  change: FindingChangeName,
  from: FindingState | null,
  reason: RetiredReason | ChangeReason | null,
  expiredAt: number | null,
): void {
  const finding: Finding = { ...changed, version: changed.version + 1, updatedAt: moment.clock };
  const { changes, findingsBefore } = moment.effects;
  if (!findingsBefore.has(finding.id)) {
    findingsBefore.set(finding.id, asset.findings.get(finding.id)?.finding ?? null);
  }
  trackFinding(moment, asset, { finding, seen, digest });
  changes.push({
    kind: 'finding',
    change,
    from,
    to: finding.state,
    reason,
    assetNumber: asset.asset.number,
    finding,
    at: moment.clock,
    expiredAt,
  });
}

/** Retires a finding; an acceptance or a hold stays with it (R-ACC-7). */
export function retireFinding(
  moment: Moment,
  asset: AssetState,
  { finding, seen }: TrackedFinding,
  reason: RetiredReason,
  expiredAt: number | null = null,
): void {
  const retired: Finding = { ...finding, state: 'Retired', retiredReason: reason };
  changeFinding(moment, asset, { finding: retired, seen }, 'retired', finding.state, reason, expiredAt);
}
