import type { AssetThreats } from './asset-threats.ts';
import { IMPACT_MAX } from './impact.ts';
import { type Interval, mapInterval, zipIntervals } from './interval.ts';

/** Exact sums over weaknesses and evidence: the same in any order, mergeable, reducible by a part. */
export interface HazardSums {
  /** Σ h², of weaknesses. */
  forecast: bigint;
  /** Σ e², of evidence. */
  evidence: Interval<bigint>;
}

export interface RiskSums extends HazardSums {
  /** Σ (h × i)², of weaknesses and of evidence. */
  weighted: bigint;
}

export const NO_HAZARD_SUMS: Readonly<HazardSums> = {
  forecast: 0n,
  evidence: { low: 0n, best: 0n, high: 0n },
};

export function square(value: number): bigint {
  const factor = BigInt(value);
  return factor * factor;
}

export const weaknessRisk = ({ hazard, impact }: { hazard: number; impact: number }): bigint =>
  square(hazard * impact);

export const evidenceRisk = (hazard: Interval): bigint => square(hazard.best * IMPACT_MAX);

export function riskSumsOf({
  weaknesses,
  evidence,
}: Pick<AssetThreats, 'weaknesses' | 'evidence'>): RiskSums {
  const sums: RiskSums = { ...NO_HAZARD_SUMS, weighted: 0n };
  for (const one of weaknesses.values()) {
    sums.forecast += square(one.hazard);
    sums.weighted += weaknessRisk(one);
  }
  for (const { hazard } of evidence) {
    sums.evidence = zipIntervals(sums.evidence, mapInterval(hazard, square), plus);
    sums.weighted += evidenceRisk(hazard);
  }
  return sums;
}

const plus = (a: bigint, b: bigint): bigint => a + b;
const minus = (a: bigint, b: bigint): bigint => a - b;

export const addHazardSums = (a: HazardSums, b: HazardSums): HazardSums => ({
  forecast: a.forecast + b.forecast,
  evidence: zipIntervals(a.evidence, b.evidence, plus),
});

export const addRiskSums = (a: RiskSums, b: RiskSums): RiskSums => ({
  ...addHazardSums(a, b),
  weighted: a.weighted + b.weighted,
});

export const subtractRiskSums = (from: RiskSums, part: RiskSums): RiskSums => ({
  ...subtractHazardSums(from, part),
  weighted: from.weighted - part.weighted,
});

export const weaknessSums = (one: { hazard: number; impact: number }): RiskSums => ({
  ...NO_HAZARD_SUMS,
  forecast: square(one.hazard),
  weighted: weaknessRisk(one),
});

export const evidenceSums = (hazard: Interval): RiskSums => ({
  forecast: 0n,
  evidence: mapInterval(hazard, square),
  weighted: evidenceRisk(hazard),
});

/** Takes out what was added. */
export const subtractHazardSums = (from: HazardSums, part: HazardSums): HazardSums => ({
  forecast: from.forecast - part.forecast,
  evidence: zipIntervals(from.evidence, part.evidence, minus),
});
