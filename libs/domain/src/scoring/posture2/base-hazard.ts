import { KEV_PROBABILITY, PROBABILITY_MAX } from '../exploit-probability.ts';
import { hazardOf } from '../hazard.ts';
import type { EpssForecast } from '../scoring-catalogue.ts';
import type { RansomwareKevEntry, ThreatCatalogue } from './facts.ts';
import type { VectorFacts } from './vector-facts.ts';

/** Of a CVE that is used in ransomware campaigns: 1.3 times the hazard of another entry of KEV (chosen). */
const RANSOMWARE_PROBABILITY = 0.95;

/** Without a forecast, by the number of obstacles in the vector; more than three count as three. */
export const OBSTACLE_PROBABILITIES: readonly number[] = [0.06, 0.03, 0.015, 0.0075];

/** Without a forecast and without a vector, by severity. */
export const SEVERITY_PROBABILITIES: readonly { from: number; probability: number }[] = [
  { from: 0, probability: 0.001 },
  { from: 0.1, probability: 0.0075 },
  { from: 4, probability: 0.015 },
  { from: 7, probability: 0.03 },
  { from: 9, probability: 0.06 },
];

/** How likely exploitation is anywhere within 30 days, and what states it. */
export interface BaseHazard {
  /** 0 to `PROBABILITY_MAX`. */
  probability: number;
  /** In 10⁻¹⁰. */
  hazard: number;
  epss: EpssForecast | null;
  kev: RansomwareKevEntry | null;
}

export function cveBaseHazard(
  cve: string,
  severity: number,
  vector: VectorFacts | null,
  { epssOf, kevOf }: Pick<ThreatCatalogue, 'epssOf' | 'kevOf'>,
): BaseHazard {
  const epss = epssOf(cve) ?? null;
  const kev = kevOf(cve) ?? null;
  if (!epss && !kev) return unforecastBaseHazard(severity, vector);
  const listed = kev ? (kev.isUsedByRansomware ? RANSOMWARE_PROBABILITY : KEV_PROBABILITY) : 0;
  return baseHazard(Math.max(epss?.probability ?? 0, listed), epss, kev);
}

/** Of a CVE without a forecast, and of a finding with techniques only. */
export function unforecastBaseHazard(severity: number, vector: VectorFacts | null): BaseHazard {
  if (vector === null) return baseHazard(severityProbability(severity), null, null);
  const obstacles = Math.min(vector.obstacles, OBSTACLE_PROBABILITIES.length - 1);
  return baseHazard(OBSTACLE_PROBABILITIES[obstacles]!, null, null);
}

const severityProbability = (severity: number): number =>
  (SEVERITY_PROBABILITIES.findLast(({ from }) => severity >= from) ?? SEVERITY_PROBABILITIES[0]!).probability;

function baseHazard(given: number, epss: EpssForecast | null, kev: RansomwareKevEntry | null): BaseHazard {
  const probability = Math.min(given, PROBABILITY_MAX);
  return { probability, hazard: hazardOf(probability), epss, kev };
}
