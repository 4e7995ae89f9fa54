import { type Mappings, validMappings } from '../valid-mappings.ts';
import { type BaseHazard, cveBaseHazard, unforecastBaseHazard } from './base-hazard.ts';
import { evidenceHazard, tacticWeight as tacticWeightOf } from './evidence.ts';
import type { AssessedFinding, FailureFacts, ThreatCatalogue, ThreatenedAsset } from './facts.ts';
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

/**
 * One valid CVE of a counted finding, or the techniques of its failures without a valid CVE: of the failure that gives it
 * the greatest hazard, with the greatest impact of all.
 */
export interface Weakness {
  finding: AssessedFinding;
  failure: FailureFacts;
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

/** The valid ones of a finding, and of each of its failures. */
export interface FindingMappings extends Mappings {
  failures: readonly Mappings[];
}

export function mappingsOf(
  finding: AssessedFinding,
  { techniqueOf, cveStateOf }: ThreatCatalogue,
): FindingMappings {
  const valid = (given: Mappings) => validMappings(given, techniqueOf, cveStateOf);
  const whole = valid(finding);
  const isWhole = ({ cves, techniques }: Mappings) =>
    cves === finding.cves && techniques === finding.techniques;
  return { ...whole, failures: finding.failures.map((one) => (isWhole(one) ? whole : valid(one))) };
}

/** Of one finding with these valid mappings; whether it is active is not asked here. */
export function threatsOf(
  finding: AssessedFinding,
  mappings: FindingMappings,
  context: AssetContext,
): FindingThreats {
  if (mappings.cves.length + mappings.techniques.length === 0) return NOTHING;
  if (finding.state !== 'Failed') return MAPPED;
  const vectors = finding.failures.map(({ severity }) => vectorFactsOf(severity));
  const techniques = failingTechniques(mappings);
  const weaknesses = finding.failures.flatMap((failure, i) =>
    weaknessesOf({ finding, failure }, mappings.failures[i]!, vectors[i]!, context),
  );
  return {
    isMapped: true,
    isVectorMalformed: finding.failures.some(
      ({ severity }, i) => vectors[i] === null && severity.vector !== null,
    ),
    weaknesses: finding.failures.length === 1 ? weaknesses : greatestOf(weaknesses),
    evidence:
      finding.type === 'edr' && techniques.length > 0 ? evidenceOf(finding, techniques, context) : null,
  };
}

/** Those of the failures, without repeats, sorted if they are. */
function failingTechniques({ failures }: FindingMappings): readonly string[] {
  if (failures.length === 1) return failures[0]!.techniques;
  return [...new Set(failures.flatMap(({ techniques }) => techniques))].sort();
}

/** A failure of a finding. */
type Failing = Pick<Weakness, 'finding' | 'failure'>;

function weaknessesOf(
  failing: Failing,
  { cves, techniques }: Mappings,
  vector: VectorFacts | null,
  context: AssetContext,
): Weakness[] {
  if (cves.length > 0) return cves.map((cve) => cveWeakness(cve, failing, techniques, vector, context));
  const isTechniqueOnly = techniques.length > 0 && failing.finding.type !== 'edr';
  return isTechniqueOnly ? [techniqueWeakness(failing, techniques, vector, context)] : [];
}

/** Each key once, with the greatest hazard and the greatest impact, each for itself. */
function greatestOf(weaknesses: readonly Weakness[]): Weakness[] {
  const byKey = new Map<string, Weakness>();
  for (const one of weaknesses) {
    const known = byKey.get(one.key) ?? one;
    const impact = Math.max(known.impact, one.impact);
    byKey.set(one.key, { ...(one.hazard > known.hazard ? one : known), impact });
  }
  return [...byKey.values()];
}

function cveWeakness(
  cve: string,
  { finding, failure }: Failing,
  given: readonly string[],
  vector: VectorFacts | null,
  context: AssetContext,
): Weakness {
  const { catalogue } = context;
  const techniques = given.length > 0 ? given : techniquesOfCve(cve, vector, catalogue);
  const base = cveBaseHazard(cve, failure.severity.value, vector, catalogue);
  const reachRow = vectorReachRow(vector, context.reach);
  const { reach, controlFactor, hazard } = exposure(base, reachRow, finding, techniques, context);
  const impact = impactOf(failure.severity, vector, context.asset);
  // One literal: this is made for every CVE that is scored, and spreading costs more than all arithmetic.
  return {
    finding,
    failure,
    key: cve,
    cve,
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

function techniquesOfCve(cve: string, vector: VectorFacts | null, { techniquesOfCve }: ThreatCatalogue) {
  const mapped = techniquesOfCve?.(cve);
  return mapped && mapped.length > 0 ? mapped : techniquesOfVector(vector);
}

function techniqueWeakness(
  { finding, failure }: Failing,
  techniques: readonly string[],
  vector: VectorFacts | null,
  context: AssetContext,
): Weakness {
  const base = unforecastBaseHazard(failure.severity.value, null);
  const reachRow = techniqueReachRow(tacticsOf(techniques, context.catalogue));
  const { reach, controlFactor, hazard } = exposure(base, reachRow, finding, techniques, context);
  const impact = impactOf(failure.severity, vector, context.asset);
  return {
    finding,
    failure,
    key: finding.id,
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
