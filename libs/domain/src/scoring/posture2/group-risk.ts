import { fourthPower, fourthRoot } from '../group-score.ts';
import { HUNDREDTHS } from '../risk-score.ts';
import { type Interval, mapInterval, zipIntervals } from './interval.ts';
import { fromBillionths, type Likelihoods, likelihoodsOf } from './likelihood.ts';
import { addHazardSums, type HazardSums, NO_HAZARD_SUMS, subtractHazardSums } from './risk-sums.ts';
import type { Targeting } from './targeting.ts';

/** Integers over the live assets of a group: the same in any order, mergeable, reducible by an asset. */
export interface GroupSums {
  /** All live assets, the unscored ones too. */
  assets: number;
  scoredAssets: number;
  /** Σ (score in hundredths)⁴. */
  fourthPowers: bigint;
  /** Σ likelihood, in billionths. */
  compromised: Interval;
  hazards: HazardSums;
}

export interface GroupRisk {
  /** 0 to 100 with two decimals; null if no asset of the group has a score. */
  score: number | null;
  /** That at least one asset is compromised within 30 days, in billionths; null if the score is. */
  likelihoods: Likelihoods | null;
  /** How many assets are compromised within 30 days, on average; null if the score is. */
  expectedCompromised: Interval | null;
  assets: number;
  scoredAssets: number;
}

/** The parts of an asset's risk that its groups are made of. */
export interface GroupMember {
  /** Hundredths. */
  score: number | null;
  likelihoods: Pick<Likelihoods, 'whole'> | null;
  sums: HazardSums;
}

const NOBODY: Readonly<Interval> = { low: 0, best: 0, high: 0 };

export const EMPTY_GROUP_SUMS: Readonly<GroupSums> = {
  assets: 0,
  scoredAssets: 0,
  fourthPowers: 0n,
  compromised: NOBODY,
  hazards: NO_HAZARD_SUMS,
};

/** Of a group of one asset. */
export const groupSumsOf = ({ score, likelihoods, sums }: GroupMember): GroupSums => ({
  assets: 1,
  scoredAssets: score === null ? 0 : 1,
  fourthPowers: fourthPower(score ?? 0),
  compromised: likelihoods?.whole ?? NOBODY,
  hazards: { forecast: sums.forecast, evidence: sums.evidence },
});

/** Of two disjoint groups. */
export const addGroupSums = (a: GroupSums, b: GroupSums): GroupSums => ({
  assets: a.assets + b.assets,
  scoredAssets: a.scoredAssets + b.scoredAssets,
  fourthPowers: a.fourthPowers + b.fourthPowers,
  compromised: zipIntervals(a.compromised, b.compromised, (x, y) => x + y),
  hazards: addHazardSums(a.hazards, b.hazards),
});

/** A group without a part of it. */
export const subtractGroupSums = (from: GroupSums, part: GroupSums): GroupSums => ({
  assets: from.assets - part.assets,
  scoredAssets: from.scoredAssets - part.scoredAssets,
  fourthPowers: from.fourthPowers - part.fourthPowers,
  compromised: zipIntervals(from.compromised, part.compromised, (x, y) => x - y),
  hazards: subtractHazardSums(from.hazards, part.hazards),
});

/** A group's score in hundredths, of a group with assets. The one place that rounds it. */
export const groupHundredths = ({
  assets,
  fourthPowers,
}: Pick<GroupSums, 'assets' | 'fourthPowers'>): number =>
  Math.round(fourthRoot(Number(fourthPowers) / assets));

/** The divisor is all live assets: otherwise fixing the last finding of an asset could raise the score of its group. */
export function groupRisk(sums: GroupSums, targeting: Targeting): GroupRisk {
  const { assets, scoredAssets, compromised, hazards } = sums;
  if (scoredAssets === 0) {
    return { score: null, likelihoods: null, expectedCompromised: null, assets, scoredAssets };
  }
  return {
    score: groupHundredths(sums) / HUNDREDTHS,
    likelihoods: likelihoodsOf(hazards, targeting),
    expectedCompromised: mapInterval(compromised, fromBillionths),
    assets,
    scoredAssets,
  };
}
