import { fromMillionths, HUNDREDTHS } from './risk-score.ts';

/**
 * Input of a group's score: sums over its assets, in whole numbers, so that single assets can be added and removed,
 * groups merged, and sums computed by a database, with the same result in any order.
 */
export interface RiskSum {
  /** All assets, the unscored ones too. */
  assets: number;
  scoredAssets: number;
  /** Σ (score in hundredths)⁴. */
  fourthPowers: bigint;
  /** Σ breach likelihood in millionths. */
  likelihood: number;
}

/** The values of an asset's score that the sum needs. */
export interface ScoredAsset {
  score: number | null;
  breachLikelihood: number | null;
}

export interface GroupScore {
  /** 0 to 100 with two decimals; null if no asset of the group has a score. */
  score: number | null;
  /** That a scored asset of the group, picked at random, is breached within 30 days; null if the score is. */
  breachLikelihood: number | null;
  assets: number;
  scoredAssets: number;
}

export const EMPTY_RISK_SUM: Readonly<RiskSum> = {
  assets: 0,
  scoredAssets: 0,
  fourthPowers: 0n,
  likelihood: 0,
};

/** The fourth power of a score in hundredths: the weight of an asset in its groups. */
export const fourthPower = (hundredths: number): bigint => BigInt(hundredths) ** 4n;

/** The sum of one asset. */
export function riskSumOf({ score, breachLikelihood }: ScoredAsset): RiskSum {
  if (score === null) return { ...EMPTY_RISK_SUM, assets: 1 };
  return {
    assets: 1,
    scoredAssets: 1,
    fourthPowers: fourthPower(Math.round(score * HUNDREDTHS)),
    likelihood: Math.round((breachLikelihood ?? 0) / fromMillionths(1)),
  };
}

/** The sum of two disjoint groups. */
export const addRiskSums = (a: RiskSum, b: RiskSum): RiskSum => ({
  assets: a.assets + b.assets,
  scoredAssets: a.scoredAssets + b.scoredAssets,
  fourthPowers: a.fourthPowers + b.fourthPowers,
  likelihood: a.likelihood + b.likelihood,
});

/** A group without a part of it: removes the previous state of an asset before its current one is added. */
export const subtractRiskSum = (from: RiskSum, part: RiskSum): RiskSum => ({
  assets: from.assets - part.assets,
  scoredAssets: from.scoredAssets - part.scoredAssets,
  fourthPowers: from.fourthPowers - part.fourthPowers,
  likelihood: from.likelihood - part.likelihood,
});

/** Mean of the fourth powers of scores in hundredths; 0 if nothing is scored. */
const meanFourthPower = ({ fourthPowers, scoredAssets }: RiskSum): number =>
  scoredAssets === 0 ? 0 : Number(fourthPowers) / scoredAssets;

/** Two square roots, which IEEE 754 rounds alike everywhere; powers are not. */
export const fourthRoot = (value: number): number => Math.sqrt(Math.sqrt(value));

/** A group's score in hundredths, 0 if nothing is scored. The one place that rounds it. */
export const groupHundredths = (sum: RiskSum): number => Math.round(fourthRoot(meanFourthPower(sum)));

/**
 * The score of a group or of the organization: the power mean of order 4 of its scored assets. It is between their
 * mean and their greatest, rises with each of them, and lets one critical asset among 100,000 clean ones show (5.62)
 * without ruling (docs/scoring.md).
 */
export function groupScore(sum: RiskSum): GroupScore {
  const { assets, scoredAssets, likelihood } = sum;
  if (scoredAssets === 0) return { score: null, breachLikelihood: null, assets, scoredAssets };
  return {
    score: groupHundredths(sum) / HUNDREDTHS,
    breachLikelihood: fromMillionths(Math.round(likelihood / scoredAssets)),
    assets,
    scoredAssets,
  };
}
