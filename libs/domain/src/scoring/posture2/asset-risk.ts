import type { AssetThreats } from './asset-threats.ts';
import type { ThreatenedAsset } from './facts.ts';
import { type Likelihoods, likelihoodsOf } from './likelihood.ts';
import { scoreHundredths } from './risk-points.ts';
import { type RiskSums, riskSumsOf } from './risk-sums.ts';
import type { Targeting } from './targeting.ts';

/** What is stored of an asset's score: integers, and the sums that its groups are made of. */
export interface AssetRisk {
  /** In hundredths of a point; null if no active finding has a valid mapping (R-SCORE-2). */
  score: number | null;
  /** Null if the score is. */
  likelihoods: Likelihoods | null;
  sums: RiskSums;
}

/** @param isScored some active finding has a valid mapping */
export const riskOfSums = (
  sums: RiskSums,
  isScored: boolean,
  { criticality }: Pick<ThreatenedAsset, 'criticality'>,
  targeting: Targeting,
): AssetRisk => ({
  score: isScored ? scoreHundredths(sums.weighted, criticality) : null,
  likelihoods: isScored ? likelihoodsOf(sums, targeting) : null,
  sums,
});

export const assetRisk = (
  threats: Pick<AssetThreats, 'weaknesses' | 'evidence' | 'isScored'>,
  asset: ThreatenedAsset,
  targeting: Targeting,
): AssetRisk => riskOfSums(riskSumsOf(threats), threats.isScored, asset, targeting);
