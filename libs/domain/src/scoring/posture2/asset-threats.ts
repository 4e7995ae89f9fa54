import { isActive } from '../scoring-facts.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedSubject } from './facts.ts';
import { Controls, controlVerdict, coveredTechniques } from './susceptibility.ts';
import { DEFAULT_TARGETING, type Targeting } from './targeting.ts';
import {
  type AssetContext,
  assetContext,
  type Evidence,
  type FindingMappings,
  mappingsOf,
  threatsOf,
  type Weakness,
} from './weakness.ts';

/** A CVE of an asset, however many findings name it, or a finding with techniques only. */
export interface AssetWeakness {
  /** The greatest hazard first, then by finding id: the first one carries the weakness. */
  exposures: [Weakness, ...Weakness[]];
  /** The greatest of its exposures, each for itself. */
  hazard: number;
  impact: number;
}

export interface AssetThreats {
  /** By key. */
  weaknesses: Map<string, AssetWeakness>;
  evidence: Evidence[];
  /** Some active finding, in any state, has a valid mapping: without one there is no score (R-SCORE-2). */
  isScored: boolean;
  /** Counted findings whose CVSS vector could not be read. */
  malformedVectors: number;
}

/** What counts of an asset's findings at an instant (epoch ms): Failed, active, validly mapped (R-SCORE-1). */
export function assetThreats(
  { asset, findings }: ThreatenedSubject,
  catalogue: ThreatCatalogue,
  at: number,
  targeting: Targeting = DEFAULT_TARGETING,
): AssetThreats {
  const mappings = findings.map((finding) => mappingsOf(finding, catalogue));
  const controls = controlsOf(findings, mappings, catalogue, at);
  return threatsIn(findings, mappings, assetContext(asset, { controls, catalogue, targeting, at }), at);
}

/** The controls among findings at an instant. @param mappings the valid ones of each finding */
export function controlsOf(
  findings: readonly AssessedFinding[],
  mappings: readonly FindingMappings[],
  { mitigationsOf }: Pick<ThreatCatalogue, 'mitigationsOf'>,
  at: number,
): Controls {
  const controls = new Controls(mitigationsOf);
  for (const [i, finding] of findings.entries()) {
    const verdict = controlVerdict(finding, at);
    if (verdict) controls.add(finding.id, coveredTechniques(mappings[i]!, verdict), verdict);
  }
  return controls;
}

/** The threats of findings in a context. @param activeAt epoch ms; findings whose end has come by then are left out */
export function threatsIn(
  findings: readonly AssessedFinding[],
  mappings: readonly FindingMappings[],
  context: AssetContext,
  activeAt: number,
): AssetThreats {
  const found: AssetThreats = { weaknesses: new Map(), evidence: [], isScored: false, malformedVectors: 0 };
  for (const [i, finding] of findings.entries()) {
    if (!isActive(finding, activeAt)) continue;
    const { isMapped, isVectorMalformed, weaknesses, evidence } = threatsOf(finding, mappings[i]!, context);
    if (isMapped) found.isScored = true;
    if (isVectorMalformed) found.malformedVectors++;
    if (evidence) found.evidence.push(evidence);
    for (const one of weaknesses) addWeakness(found.weaknesses, one);
  }
  for (const { exposures } of found.weaknesses.values()) exposures.sort(byHazardThenFinding);
  return found;
}

function addWeakness(weaknesses: AssetThreats['weaknesses'], one: Weakness): void {
  const known = weaknesses.get(one.key);
  if (!known) {
    weaknesses.set(one.key, { exposures: [one], hazard: one.hazard, impact: one.impact });
    return;
  }
  known.exposures.push(one);
  known.hazard = Math.max(known.hazard, one.hazard);
  known.impact = Math.max(known.impact, one.impact);
}

const byHazardThenFinding = (a: Weakness, b: Weakness) =>
  b.hazard - a.hazard || (a.finding.id < b.finding.id ? -1 : 1);
