import { cveProbability, type ExploitProbability, techniqueProbability } from './exploit-probability.ts';
import { type FindingSeverity, findingSeverity } from './finding-severity.ts';
import { hazardOf } from './hazard.ts';
import type { ScoringCatalogue } from './scoring-catalogue.ts';
import { type AssetFacts, type FindingFacts, isActive, type ScoringSubject } from './scoring-facts.ts';
import { validMappings } from './valid-mappings.ts';

/** One valid CVE of a counted finding, or the whole finding if it has only techniques. */
export interface Exposure {
  finding: FindingFacts;
  /** The CVE; null if the finding is mapped only to techniques. */
  cve: string | null;
  /** The first valid technique if there is no valid CVE. */
  technique: string | null;
  severity: FindingSeverity;
  exploit: ExploitProbability;
  hazard: number;
}

/** A way into an asset: a CVE, however many findings name it, or a finding with only techniques. */
interface Weakness {
  /** The CVE, else the id of the finding. */
  key: string;
  /** The most likely exposure first, then by finding id; it carries the weakness, the others add nothing (R-SCORE-5). */
  exposures: [Exposure, ...Exposure[]];
}

export interface Weaknesses {
  /** By key. */
  weaknesses: Map<string, Weakness>;
  /** Some active finding, in any state, has a valid mapping: without one there is no score (R-SCORE-2). */
  isScored: boolean;
  /** Counted findings whose CVSS vector could not be read. */
  malformedVectors: number;
}

/**
 * What of an asset's findings counts at an instant, CVE by CVE: Failed, active, validly mapped (R-SCORE-1). If a finding
 * has a valid CVE, its techniques add nothing: they say how the same weakness is used.
 */
export function weaknessesOf(
  { asset, findings }: ScoringSubject,
  catalogue: ScoringCatalogue,
  at: number,
): Weaknesses {
  const found: Weaknesses = { weaknesses: new Map(), isScored: false, malformedVectors: 0 };
  for (const finding of findings) {
    if (!isActive(finding, at)) continue;
    const { isMapped, isVectorMalformed, exposures } = exposuresOf(finding, asset, catalogue);
    if (isMapped) found.isScored = true;
    if (isVectorMalformed) found.malformedVectors++;
    for (const one of exposures) addExposure(found.weaknesses, keyOf(one), one);
  }
  for (const { exposures } of found.weaknesses.values()) exposures.sort(byHazardThenFinding);
  return found;
}

/** The contribution of an active finding to its asset's score. */
export interface FindingExposures {
  /** Has a valid mapping, so its asset has a score (R-SCORE-2). */
  isMapped: boolean;
  isVectorMalformed: boolean;
  /** Nothing unless it is Failed. */
  exposures: Exposure[];
}

const NOTHING: FindingExposures = { isMapped: false, isVectorMalformed: false, exposures: [] };

/** Of one finding, independent of the others, and of whether it is active. */
export function exposuresOf(
  finding: FindingFacts,
  asset: AssetFacts,
  catalogue: ScoringCatalogue,
): FindingExposures {
  const { cves, techniques } = validMappings(finding, catalogue.techniqueOf, catalogue.cveStateOf);
  if (cves.length + techniques.length === 0) return NOTHING;
  if (finding.state !== 'Failed') return { ...NOTHING, isMapped: true };
  const severity = findingSeverity(finding, asset);
  const exposures = cves.map((cve) => {
    const exploit = cveProbability(cve, severity.value, catalogue);
    return exposure({ finding, cve, technique: null, severity, exploit });
  });
  if (cves.length === 0) {
    const exploit = techniqueProbability(severity.value);
    exposures.push(exposure({ finding, cve: null, technique: techniques[0]!, severity, exploit }));
  }
  return { isMapped: true, isVectorMalformed: severity.isVectorMalformed, exposures };
}

/** The CVE, else the id of the finding. */
export const keyOf = ({ cve, finding }: Exposure): string => cve ?? finding.id;

const exposure = (given: Omit<Exposure, 'hazard'>): Exposure => ({
  ...given,
  hazard: hazardOf(given.exploit.probability),
});

function addExposure(weaknesses: Map<string, Weakness>, key: string, one: Exposure): void {
  const known = weaknesses.get(key);
  if (known) known.exposures.push(one);
  else weaknesses.set(key, { key, exposures: [one] });
}

const byHazardThenFinding = (a: Exposure, b: Exposure) =>
  b.hazard - a.hazard || (a.finding.id < b.finding.id ? -1 : 1);

/** The sum of the hazards of all weaknesses, each once: exact, in any order. */
export const totalHazard = ({ weaknesses }: Pick<Weaknesses, 'weaknesses'>): number =>
  [...weaknesses.values()].reduce((sum, { exposures }) => sum + exposures[0].hazard, 0);

/** One exposure of a finding, and the finding that carries its weakness. */
export interface CarriedExposure {
  exposure: Exposure;
  carrier: string;
}

/** The contribution of each counted finding, in the order of keys: the same in any order of findings. */
export function exposuresByFinding({ weaknesses }: Weaknesses): Map<string, CarriedExposure[]> {
  const byFinding = new Map<string, CarriedExposure[]>();
  for (const key of [...weaknesses.keys()].sort()) {
    const { exposures } = weaknesses.get(key)!;
    const carrier = exposures[0].finding.id;
    for (const exposure of exposures) {
      const known = byFinding.get(exposure.finding.id);
      if (known) known.push({ exposure, carrier });
      else byFinding.set(exposure.finding.id, [{ exposure, carrier }]);
    }
  }
  return byFinding;
}
