import { type Mappings, validMappings } from '../valid-mappings.ts';
import { type BaseHazard, cveBaseHazard, unforecastBaseHazard } from './base-hazard.ts';
import { evidenceHazard, tacticWeight as tacticWeightOf } from './evidence.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedAsset } from './facts.ts';
import { impactOf } from './impact.ts';
import { productDivided } from './integers.ts';
import type { Interval } from './interval.ts';
import {
  type AssetReach,
  assetReach,
  REACH,
  type ReachRow,
  techniqueReachRow,
  vectorReachRow,
} from './reach.ts';
import { type Controls, EDR_FACTORS, techniquesOfVector } from './susceptibility.ts';
import type { Targeting } from './targeting.ts';
import { type VectorFacts, vectorFactsOf } from './vector-facts.ts';

/** What the hazards of one asset depend on besides its findings. */
export interface AssetContext {
  asset: ThreatenedAsset;
  reach: AssetReach;
  edrFactor: number;
  controls: Controls;
  catalogue: ThreatCatalogue;
  targeting: Targeting;
  at: number;
}

export const assetContext = (
  asset: ThreatenedAsset,
  given: Pick<AssetContext, 'controls' | 'catalogue' | 'targeting' | 'at'>,
): AssetContext => ({
  asset,
  reach: assetReach(asset),
  edrFactor: asset.isEdrManaged ? EDR_FACTORS.managed : EDR_FACTORS.unmanaged,
  ...given,
});

/** One valid CVE of a counted finding, or its techniques if it has no valid CVE. */
export interface Weakness {
  finding: AssessedFinding;
  /** The CVE, else the id of the finding: the same key counts once on an asset. */
  key: string;
  cve: string | null;
  techniques: readonly string[];
  vector: VectorFacts | null;
  base: BaseHazard;
  reachRow: ReachRow;
  /** In thousandths. */
  reach: number;
  controlFactor: number;
  /** In 10⁻¹⁰. */
  hazard: number;
  /** In hundredths. */
  impact: number;
}

/** A finding that an EDR platform reports as a detection. */
export interface Evidence {
  finding: AssessedFinding;
  techniques: readonly string[];
  /** The greatest of its techniques' tactics, in thousandths. */
  tacticWeight: number;
  /** In 10⁻¹⁰. */
  hazard: Interval;
}

/** What an active finding adds to the score of its asset. */
export interface FindingThreats {
  /** Has a valid mapping, so its asset has a score (R-SCORE-2). */
  isMapped: boolean;
  isVectorMalformed: boolean;
  weaknesses: Weakness[];
  evidence: Evidence | null;
}

const NOTHING: FindingThreats = { isMapped: false, isVectorMalformed: false, weaknesses: [], evidence: null };
const MAPPED: FindingThreats = { ...NOTHING, isMapped: true };

/** The valid ones of a finding. */
export const mappingsOf = (finding: AssessedFinding, { techniqueOf, cveStateOf }: ThreatCatalogue) =>
  validMappings(finding, techniqueOf, cveStateOf);

/** Of one finding with these valid mappings; whether it is active is not asked here. */
export function threatsOf(
  finding: AssessedFinding,
  { cves, techniques }: Mappings,
  context: AssetContext,
): FindingThreats {
  if (cves.length + techniques.length === 0) return NOTHING;
  if (finding.state !== 'Failed') return MAPPED;
  const vector = vectorFactsOf(finding.severity);
  const isDetection = finding.type === 'edr' && techniques.length > 0;
  return {
    isMapped: true,
    isVectorMalformed: vector === null && finding.severity.vector !== null,
    weaknesses:
      cves.length === 0 && !isDetection
        ? [techniqueWeakness(finding, techniques, vector, context)]
        : cves.map((cve) => cveWeakness(cve, finding, techniques, vector, context)),
    evidence: isDetection ? evidenceOf(finding, techniques, context) : null,
  };
}

function cveWeakness(
  cve: string,
  finding: AssessedFinding,
  given: readonly string[],
  vector: VectorFacts | null,
  context: AssetContext,
): Weakness {
  const { catalogue } = context;
  const techniques = given.length > 0 ? given : techniquesOfCve(cve, vector, catalogue);
  const base = cveBaseHazard(cve, finding.severity.value, vector, catalogue);
  const reachRow = vectorReachRow(vector, context.reach);
  const { reach, controlFactor, hazard } = exposure(base, reachRow, finding, techniques, context);
  const impact = impactOf(finding.severity, vector, context.asset);
  // One literal: this is made for every CVE that is scored, and spreading costs more than all arithmetic.
  return { finding, key: cve, cve, techniques, vector, base, reachRow, reach, controlFactor, hazard, impact };
}

function techniquesOfCve(cve: string, vector: VectorFacts | null, { techniquesOfCve }: ThreatCatalogue) {
  const mapped = techniquesOfCve?.(cve);
  return mapped && mapped.length > 0 ? mapped : techniquesOfVector(vector);
}

function techniqueWeakness(
  finding: AssessedFinding,
  techniques: readonly string[],
  vector: VectorFacts | null,
  context: AssetContext,
): Weakness {
  const base = unforecastBaseHazard(finding.severity.value, null);
  const reachRow = techniqueReachRow(tacticsOf(techniques, context.catalogue));
  const { reach, controlFactor, hazard } = exposure(base, reachRow, finding, techniques, context);
  const impact = impactOf(finding.severity, vector, context.asset);
  const { id: key } = finding;
  return {
    finding,
    key,
    cve: null,
    techniques,
    vector,
    base,
    reachRow,
    reach,
    controlFactor,
    hazard,
    impact,
  };
}

function exposure(
  base: BaseHazard,
  reachRow: ReachRow,
  { id }: AssessedFinding,
  techniques: readonly string[],
  { reach: { class: reachClass }, edrFactor, controls, targeting }: AssetContext,
): Pick<Weakness, 'reach' | 'controlFactor' | 'hazard'> {
  const reach = REACH[reachRow][reachClass];
  const controlFactor = controls.factorOf(id, techniques);
  const factors = ((reach * controlFactor * edrFactor) / 1_000) * targeting.factor;
  return { reach, controlFactor, hazard: productDivided(base.hazard, factors, HAZARD_DIVISOR) };
}

/** Of reach and susceptibility (10³ each) and of targeting (10⁹). */
const HAZARD_DIVISOR = 1e15;

function evidenceOf(
  finding: AssessedFinding,
  techniques: readonly string[],
  { catalogue, at }: AssetContext,
): Evidence {
  const tacticWeight = tacticWeightOf(tacticsOf(techniques, catalogue));
  return { finding, techniques, tacticWeight, hazard: evidenceHazard(finding, tacticWeight, at) };
}

function tacticsOf(techniques: readonly string[], { techniqueOf }: ThreatCatalogue): readonly string[] {
  if (techniques.length === 1) return techniqueOf(techniques[0]!)?.tactics ?? [];
  return techniques.flatMap((id) => techniqueOf(id)?.tactics ?? []);
}
