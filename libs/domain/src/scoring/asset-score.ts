import { apportion } from './apportion.ts';
import { ALL_CONTRIBUTIONS, type ContributionRange, idsInRange } from './contribution-range.ts';
import { criticalityWeight } from './criticality-weight.ts';
import type { ScoredAsset } from './group-score.ts';
import { fromMillionths, HUNDREDTHS, likelihoodMillionths, riskHundredths } from './risk-score.ts';
import type { ScoringCatalogue } from './scoring-catalogue.ts';
import type { AssetFacts, ScoringSubject } from './scoring-facts.ts';
import { SCORING_MODEL } from './scoring-model.ts';
import { exposuresByFinding, totalHazard, type Weaknesses, weaknessesOf } from './weaknesses.ts';
import { whyExposures } from './why.ts';

/** A counted finding's part in its asset's score. */
interface Contribution {
  findingId: string;
  name: string;
  /** Probability that the finding is exploited within 30 days, independent of the asset's other findings, 0 to 1. */
  probability: number;
  /** Points of the score, in whole hundredths; 0 if all of its CVEs are carried by other findings. */
  share: number;
  /** The inputs in words. */
  why: string;
}

export interface AssetScore {
  /** 0 to 100 with two decimals; null if no active finding has a valid mapping (R-SCORE-2). */
  score: number | null;
  /** 0 to 1 with six decimals; null if the score is. */
  breachLikelihood: number | null;
  /** Of every counted finding in the range, the greatest share first, then by finding id. All shares add up to the score. */
  contributions: Contribution[];
  /** Counted findings, in any range. */
  contributionCount: number;
  /** Counted findings whose CVSS vector could not be read. */
  malformedVectors: number;
  model: string;
}

/**
 * The score of an asset at an instant, with its contributions. A pure function of its arguments: the order of
 * findings does not matter, bit for bit.
 *
 * @param at epoch ms; findings whose end has come by that time are left out
 * @param range of the contributions that are returned
 */
export function scoreAsset(
  subject: ScoringSubject,
  catalogue: ScoringCatalogue,
  at: number,
  range = ALL_CONTRIBUTIONS,
): AssetScore {
  const found = weaknessesOf(subject, catalogue, at);
  const { isScored, malformedVectors } = found;
  if (!isScored) {
    return {
      ...NO_RISK,
      contributions: [],
      contributionCount: 0,
      malformedVectors,
      model: SCORING_MODEL,
    };
  }
  const hazard = totalHazard(found);
  const risk = riskHundredths(hazard, criticalityWeight(subject.asset.criticality));
  return {
    score: risk / HUNDREDTHS,
    breachLikelihood: fromMillionths(likelihoodMillionths(hazard)),
    ...contributionsOf(found, risk, range),
    malformedVectors,
    model: SCORING_MODEL,
  };
}

/** The same without its contributions: the stored part of a score. */
export function riskOf(subject: ScoringSubject, catalogue: ScoringCatalogue, at: number): ScoredAsset {
  const found = weaknessesOf(subject, catalogue, at);
  return found.isScored ? riskFrom(totalHazard(found), subject.asset) : NO_RISK;
}

/** If no active finding has a valid mapping (R-SCORE-2). */
export const NO_RISK: Readonly<ScoredAsset> = { score: null, breachLikelihood: null };

/** @param hazard sum over the asset's weaknesses, each once */
export const riskFrom = (hazard: number, { criticality }: Pick<AssetFacts, 'criticality'>): ScoredAsset => ({
  score: riskHundredths(hazard, criticalityWeight(criticality)) / HUNDREDTHS,
  breachLikelihood: fromMillionths(likelihoodMillionths(hazard)),
});

/** Each finding's part is in proportion to the hazards that it carries: what −ln(1 − likelihood) is the sum of. */
function contributionsOf(
  found: Weaknesses,
  risk: number,
  range: ContributionRange,
): Pick<AssetScore, 'contributions' | 'contributionCount'> {
  const byFinding = exposuresByFinding(found);
  const carried = [...byFinding].map(([id, exposures]) => ({
    id,
    weight: exposures.reduce((sum, { exposure, carrier }) => sum + (carrier === id ? exposure.hazard : 0), 0),
  }));
  const shares = apportion(risk, carried);
  const contributions = idsInRange(shares, range).map((findingId) => {
    const exposures = byFinding.get(findingId)!;
    return {
      findingId,
      name: exposures[0]!.exposure.finding.name,
      probability: fromMillionths(
        likelihoodMillionths(exposures.reduce((sum, { exposure }) => sum + exposure.hazard, 0)),
      ),
      share: shares.get(findingId)! / HUNDREDTHS,
      why: whyExposures(findingId, exposures),
    };
  });
  return { contributions, contributionCount: byFinding.size };
}
