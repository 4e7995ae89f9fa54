import { hazardOf } from '../hazard.ts';
import type { AssessedFinding, DetectionFacts, DetectionState } from './facts.ts';
import { divRounded } from './integers.ts';
import { type Interval, mapInterval, zipIntervals } from './interval.ts';

/** That a detection is a compromise, in thousandths (docs/scoring.md). */
export const DETECTION_STATES: Readonly<Record<DetectionState, Readonly<Interval>>> = {
  unreviewed: { low: 50, best: 150, high: 400 },
  confirmed: { low: 300, best: 600, high: 900 },
  // As unreviewed: to close a detection as true positive must not raise a score.
  resolved: { low: 50, best: 150, high: 400 },
  ignored: { low: 1, best: 3, high: 20 },
};

/** In thousandths; the tactics that are not named have `OTHER_TACTICS`. */
export const TACTIC_WEIGHTS: Readonly<Record<string, number>> = {
  impact: 1000,
  'inhibit-response-function': 1000,
  'impair-process-control': 1000,
  exfiltration: 700,
  'command-and-control': 700,
  'lateral-movement': 700,
  'credential-access': 700,
  execution: 500,
  persistence: 500,
  'privilege-escalation': 500,
  'defense-evasion': 500,
  evasion: 500,
  'initial-access': 500,
  collection: 500,
  stealth: 500,
  'defense-impairment': 500,
};
export const OTHER_TACTICS = 250;

/** In millionths, by whole weeks since a detection was closed; nothing from then on. Half-life 14 days. */
export const AGE_FACTORS: readonly number[] = [
  1_000_000, 707_107, 500_000, 353_553, 250_000, 176_777, 125_000, 88_388, 62_500, 44_194, 31_250, 22_097,
];
export const AGE_STEP_MS = 7 * 86_400_000;

const MILLIONTHS = 1e6;
const UNREVIEWED: DetectionFacts = { state: 'unreviewed', closedAt: null };

/** The greatest weight among the tactics of a finding's techniques. */
export const tacticWeight = (tactics: readonly string[]): number =>
  Math.max(OTHER_TACTICS, ...tactics.map((tactic) => TACTIC_WEIGHTS[tactic] ?? 0));

/** Hazard, in 10⁻¹⁰, of a finding's worst detection; without any detection it counts as one that is unreviewed. */
export function evidenceHazard(
  { detections }: Pick<AssessedFinding, 'detections'>,
  weight: number,
  at: number,
): Interval {
  const hazards = (detections.length > 0 ? detections : [UNREVIEWED]).map((one) =>
    detectionHazard(one, weight, at),
  );
  return hazards.reduce((worst, one) => zipIntervals(worst, one, Math.max));
}

function detectionHazard({ state, closedAt }: DetectionFacts, weight: number, at: number): Interval {
  const factor = closedAt === null ? MILLIONTHS : (AGE_FACTORS[weeksSince(closedAt, at)] ?? 0);
  return mapInterval(DETECTION_STATES[state], (probability) => {
    const hazard = hazardOf((probability * weight) / MILLIONTHS);
    return factor === MILLIONTHS ? hazard : Number(divRounded(BigInt(hazard) * BigInt(factor), 1_000_000n));
  });
}

/** Whole weeks between two instants, in epoch milliseconds. */
export const weeksSince = (closedAt: number, at: number) =>
  Math.max(0, Math.floor((at - closedAt) / AGE_STEP_MS));

/** When the hazard of a detection changes next although nothing happens; null if it does not. */
export function nextAgeStep({ closedAt }: DetectionFacts, at: number): number | null {
  if (closedAt === null) return null;
  const next = weeksSince(closedAt, at) + 1;
  return next <= AGE_FACTORS.length ? closedAt + next * AGE_STEP_MS : null;
}
