import { nextEnd, touchedAt } from '../score-timeline.ts';
import { AGE_FACTORS, AGE_STEP_MS, nextAgeStep } from './evidence.ts';
import type { AssessedFinding, ThreatenedAsset } from './facts.ts';
import {
  type RiskStep,
  RunningRisk,
  type ThreatCatalogueTimeline,
  type ThreatTimeline,
} from './running-risk.ts';
import type { Targeting } from './targeting.ts';

/**
 * The risk of an asset at every instant of a time: a step for `from`, and one for each instant at which something that
 * it depends on changed, equal ones too. `assetRisk` at an instant gives what the last step until then has.
 *
 * @param to up to here findings have ended, detections have aged and catalogues changed
 */
export function riskTimeline<A extends ThreatenedAsset>(
  timeline: ThreatTimeline<A>,
  catalogue: ThreatCatalogueTimeline,
  from: number,
  to: number,
  targeting: Targeting,
): RiskStep<A>[] {
  const risk = new RunningRisk(timeline, catalogue, targeting);
  return [...touchedAt(timeline, catalogue, from, to, ageSteps)]
    .sort(([a], [b]) => a - b)
    .map(([at, findings]) => ({ from: at, value: risk.moveTo(at, findings) }));
}

/** When a finding's detections lose weight, while it is as it is. */
export function ageSteps({ state, detections }: AssessedFinding, from: number, until: number): number[] {
  if (state !== 'Failed') return [];
  return detections.flatMap(({ closedAt }) =>
    closedAt === null
      ? []
      : AGE_FACTORS.map((_, week) => closedAt + (week + 1) * AGE_STEP_MS).filter(
          (at) => at > from && at < until,
        ),
  );
}

/** When the risk may change next although nothing happens: a finding ends, or a detection ages; null if neither. */
export function nextDue(timeline: ThreatTimeline, at: number): number | null {
  const steps = timeline.findings.flatMap((segments) => {
    const last = segments.at(-1)?.value;
    return last?.state === 'Failed' ? last.detections.map((one) => nextAgeStep(one, at)) : [];
  });
  const due = [nextEnd(timeline, at), ...steps].filter((instant) => instant !== null);
  return due.reduce<number | null>((first, one) => (first === null ? one : Math.min(first, one)), null);
}
