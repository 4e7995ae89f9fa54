import type { Level } from '../events.ts';
import { cvssScore } from './cvss-score.ts';
import { formatCvssVector, parseCvssVector } from './cvss-vector.ts';
import type { AssetFacts, FindingFacts } from './scoring-facts.ts';

/** A finding's severity on its asset, and its source. */
export interface FindingSeverity {
  /** 0 to 10. */
  value: number;
  /** The vector, including the asset's requirements; null if the value was sent without a vector. */
  vector: string | null;
  /** The vector of the finding is not readable, so its sent value is used (counted and shown). */
  isVectorMalformed: boolean;
}

/** `critical` is read as high and `info` as low (R-SIG-13); CVSS has no other levels. */
const REQUIREMENT_OF: Record<Level, string> = { critical: 'H', high: 'H', medium: 'M', low: 'L', info: 'L' };

/**
 * The CVSS environmental score of a finding's vector, with the asset's requirements as CR, IR and AR (the vector's
 * value if the asset has none); the sent value if there is no readable vector (R-SCORE-3).
 */
export function findingSeverity(
  { severity }: Pick<FindingFacts, 'severity'>,
  asset: AssetFacts,
): FindingSeverity {
  const { value, vector, version } = severity;
  if (vector === null) return { value, vector: null, isVectorMalformed: false };
  const scored = rememberedScore(vector, version, [
    ['CR', asset.confidentialityRequirement],
    ['IR', asset.integrityRequirement],
    ['AR', asset.availabilityRequirement],
  ]);
  return scored ? { ...scored, isVectorMalformed: false } : { value, vector: null, isVectorMalformed: true };
}

type Requirements = [metric: string, level: Level | null][];
type ScoredVector = Pick<FindingSeverity, 'value' | 'vector'>;

/** A score of CVSS 4.0 takes milliseconds, and an organization has few different vectors. */
const REMEMBERED_MAX = 20_000;
/** The longest vectors of any version, with every metric, have some 250 characters. */
const VECTOR_LENGTH_MAX = 500;
const remembered = new Map<string, ScoredVector | null>();

function rememberedScore(
  text: string,
  version: string | null,
  requirements: Requirements,
): ScoredVector | null {
  if (text.length > VECTOR_LENGTH_MAX) return null;
  // Senders choose both texts.
  const key = JSON.stringify([text, version, ...requirements.map(([, level]) => level)]);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const scored = scoreVector(text, version, requirements);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, scored);
  return scored;
}

function scoreVector(text: string, version: string | null, requirements: Requirements): ScoredVector | null {
  const parsed = parseCvssVector(text, version);
  if (parsed === null) return null;
  const metrics = new Map(parsed.metrics);
  for (const [metric, level] of requirements) {
    if (level !== null) metrics.set(metric, REQUIREMENT_OF[level]);
  }
  const vector = { ...parsed, metrics };
  return { value: cvssScore(vector), vector: formatCvssVector(vector) };
}
