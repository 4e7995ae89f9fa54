import type { Level, Severity } from '../../events.ts';
import type { ThreatenedAsset } from './facts.ts';
import type { VectorFacts } from './vector-facts.ts';

export const IMPACT_MAX = 100;
/** No weakness vanishes. */
const IMPACT_MIN = 20;

/** In halves, so that a requirement is an integer factor. */
const REQUIREMENTS: Record<Level, number> = { critical: 3, high: 3, medium: 2, low: 1, info: 1 };
const REQUIREMENTS_OF_VECTOR: Record<string, number> = { H: 3, M: 2, L: 1 };
/** Thousandths × halves. */
const ONE = 2_000;
/** 0.915: impact of a CVSS 3 vector whose three impacts are high. */
const WHOLE_IMPACT = (915 * ONE ** 3) / 1_000;

/** What the asset would lose, in hundredths: the impact side of CVSS with the asset's requirements (docs/scoring.md). */
export function impactOf(
  { value }: Pick<Severity, 'value'>,
  vector: VectorFacts | null,
  asset: ThreatenedAsset,
): number {
  if (vector === null) return bounded(Math.round(10 * value));
  const { impacts, requirements } = vector;
  const kept =
    keptOf(impacts[0], asset.confidentialityRequirement, requirements[0]) *
    keptOf(impacts[1], asset.integrityRequirement, requirements[1]) *
    keptOf(impacts[2], asset.availabilityRequirement, requirements[2]);
  const lost = Math.min(ONE ** 3 - kept, WHOLE_IMPACT);
  return bounded(Math.floor((2 * IMPACT_MAX * lost + WHOLE_IMPACT) / (2 * WHOLE_IMPACT)));
}

/** Of one of confidentiality, integrity and availability. */
function keptOf(impact: number, level: Level | null, ofVector: string | null): number {
  const requirement = level
    ? REQUIREMENTS[level]
    : (REQUIREMENTS_OF_VECTOR[ofVector ?? 'M'] ?? REQUIREMENTS.medium);
  return ONE - Math.min(impact * requirement, ONE);
}

const bounded = (impact: number) => Math.min(Math.max(impact, IMPACT_MIN), IMPACT_MAX);
