import { apportion } from '../apportion.ts';
import { ALL_CONTRIBUTIONS, type ContributionRange, idsInRange } from '../contribution-range.ts';
import { HUNDREDTHS } from '../risk-score.ts';
import type { ScoringModel } from '../scoring-model.ts';
import { riskOfSums } from './asset-risk.ts';
import { type AssetThreats, assetThreats } from './asset-threats.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedSubject } from './facts.ts';
import { fromBillionths, type Likelihoods, likelihoodsOf } from './likelihood.ts';
import { bandOf, type ScoreBand } from './risk-points.ts';
import {
  addHazardSums,
  evidenceRisk,
  evidenceSums,
  type HazardSums,
  NO_HAZARD_SUMS,
  riskSumsOf,
  weaknessRisk,
  weaknessSums,
} from './risk-sums.ts';
import { DEFAULT_TARGETING, type Targeting } from './targeting.ts';
import type { AssetContext, Evidence, Weakness } from './weakness.ts';
import { whyEvidence, whyWeakness } from './why.ts';

/** Every score names its model. */
export const POSTURE_2 = 'posture-2' satisfies ScoringModel;

/** A counted finding's part in its asset's score. */
interface Contribution {
  findingId: string;
  name: string;
  /** That the asset is compromised within 30 days by this finding, if there were no other; best value, 0 to 1. */
  likelihood: number;
  /** Points of the score, in whole hundredths; 0 if all of its CVEs are carried by other findings. */
  share: number;
  /** The inputs in words. */
  why: string;
}

export interface AssetScore {
  model: typeof POSTURE_2;
  /** 0 to 100 with two decimals; null if no active finding has a valid mapping (R-SCORE-2). */
  score: number | null;
  /** Null if the score is. */
  band: ScoreBand | null;
  /** The best value of the whole, 0 to 1; null if the score is. */
  breachLikelihood: number | null;
  /** In billionths; null if the score is. */
  likelihoods: Likelihoods | null;
  /** Of every counted finding in the range, the greatest share first, then by finding id. All shares add up to the score. */
  contributions: Contribution[];
  /** Counted findings, in any range. */
  contributionCount: number;
  malformedVectors: number;
}

/**
 * The score of an asset at an instant, with its contributions. A pure function of its arguments: the order of findings
 * does not matter, bit for bit.
 *
 * @param at epoch ms; findings whose end has come are left out
 * @param range of the contributions that are returned
 */
export function scoreAsset(
  subject: ThreatenedSubject,
  catalogue: ThreatCatalogue,
  at: number,
  targeting: Targeting = DEFAULT_TARGETING,
  range = ALL_CONTRIBUTIONS,
): AssetScore {
  const threats = assetThreats(subject, catalogue, at, targeting);
  const { score, likelihoods } = riskOfSums(riskSumsOf(threats), threats.isScored, subject.asset, targeting);
  const points = score === null ? null : score / HUNDREDTHS;
  return {
    model: POSTURE_2,
    score: points,
    band: points === null ? null : bandOf(points),
    breachLikelihood: likelihoods && fromBillionths(likelihoods.whole.best),
    likelihoods,
    ...contributionsOf(threats, score ?? 0, { asset: subject.asset, at, targeting }, range),
    malformedVectors: threats.malformedVectors,
  };
}

/** What one finding brings, and which of its weaknesses another one carries. */
interface FindingPart {
  finding: AssessedFinding;
  weaknesses: { weakness: Weakness; carrier: string; impactMax: number }[];
  evidence: Evidence | null;
  /** Σ (h × i)² that it carries. */
  carried: bigint;
}

type ScoredContext = Pick<AssetContext, 'asset' | 'at' | 'targeting'>;

function contributionsOf(
  threats: AssetThreats,
  score: number,
  context: ScoredContext,
  range: ContributionRange,
): Pick<AssetScore, 'contributions' | 'contributionCount'> {
  const parts = partsByFinding(threats);
  const shares = apportion(
    score,
    [...parts.values()].map(({ finding: { id }, carried }) => ({ id, weight: Number(carried) })),
  );
  const contributions = idsInRange(shares, range).map((id) => {
    const part = parts.get(id)!;
    return {
      findingId: id,
      name: part.finding.name,
      likelihood: fromBillionths(likelihoodsOf(ownSums(part), context.targeting).whole.best),
      share: shares.get(id)! / HUNDREDTHS,
      why: whyPart(part, context),
    };
  });
  return { contributions, contributionCount: parts.size };
}

const ownSums = ({ weaknesses, evidence }: FindingPart): HazardSums =>
  [
    ...weaknesses.map(({ weakness }) => weaknessSums(weakness)),
    ...(evidence ? [evidenceSums(evidence.hazard)] : []),
  ].reduce<HazardSums>(addHazardSums, NO_HAZARD_SUMS);

function partsByFinding({ weaknesses, evidence }: AssetThreats): Map<string, FindingPart> {
  const parts = new Map<string, FindingPart>();
  const partOf = (finding: AssessedFinding): FindingPart => {
    const known = parts.get(finding.id);
    if (known) return known;
    const part: FindingPart = { finding, weaknesses: [], evidence: null, carried: 0n };
    parts.set(finding.id, part);
    return part;
  };
  for (const key of [...weaknesses.keys()].sort()) {
    const { exposures, hazard, impact } = weaknesses.get(key)!;
    const carrier = exposures[0].finding.id;
    for (const weakness of exposures) {
      partOf(weakness.finding).weaknesses.push({ weakness, carrier, impactMax: impact });
    }
    partOf(exposures[0].finding).carried += weaknessRisk({ hazard, impact });
  }
  for (const one of evidence) {
    const part = partOf(one.finding);
    part.evidence = one;
    part.carried += evidenceRisk(one.hazard);
  }
  return parts;
}

/** CVEs of one finding that are named one by one; further ones are counted. */
const CVES_MAX = 10;

function whyPart(
  { finding, weaknesses, evidence }: FindingPart,
  { asset: { isEdrManaged }, at }: ScoredContext,
): string {
  const sentences = [
    ...(evidence ? [whyEvidence(evidence, at)] : []),
    ...weaknesses.slice(0, CVES_MAX).map(({ weakness, carrier, impactMax }) =>
      whyWeakness(weakness, {
        carrier: carrier === finding.id ? null : carrier,
        impactMax,
        isEdrManaged,
      }),
    ),
  ];
  const more = weaknesses.length - CVES_MAX;
  if (more > 0) sentences.push(`${more} more CVEs.`);
  return sentences.join(' ');
}
