import { criticalityWeight } from './criticality-weight.ts';
import { addRiskSums, EMPTY_RISK_SUM, fourthPower, groupHundredths, type RiskSum } from './group-score.ts';
import { HUNDREDTHS, likelihoodMillionths, riskHundredths } from './risk-score.ts';
import type { ScoringCatalogue } from './scoring-catalogue.ts';
import type { ScoringSubject } from './scoring-facts.ts';
import { totalHazard, type Weaknesses, weaknessesOf } from './weaknesses.ts';

/** A fix that lowers the risk of the considered assets. */
export interface Fix {
  /** One finding on its asset, or one CVE on all considered assets. */
  kind: 'finding' | 'cve';
  /** Finding id, or CVE. */
  id: string;
  /** Of a finding; null for a CVE. */
  assetId: string | null;
  /** Name of the finding; null for a CVE. */
  name: string | null;
  /** How many assets it changes. */
  assets: number;
  /** Score of all these assets if only this is fixed. */
  scoreAfter: number;
  /** Points that the score falls by, in whole hundredths. */
  lowersBy: number;
}

export interface BestFixes {
  /** Null if nothing is scored. */
  score: number | null;
  /** The best single findings, the best first. */
  findings: Fix[];
  /** The best CVEs, fixed wherever they are, the best first. */
  cves: Fix[];
}

export interface FixOptions {
  /** Sum of further assets that count in the score, but have nothing to fix. */
  unchanged?: RiskSum;
  /** Fixes of each list; 10 by default. */
  limit?: number;
}

const FIXES_MAX = 10;

/** A fix in progress: the part that it removes. */
interface Candidate extends Pick<Fix, 'kind' | 'id' | 'assetId' | 'name' | 'assets'> {
  /** Of the sum of fourth powers. */
  fourthPowers: bigint;
  /** Of the hazards: decides if rounding hides the difference. */
  hazard: number;
}

/**
 * The fixes that lower the score of these assets most, each evaluated separately: of one asset, of a group, or of the
 * whole organization. Assets may come as a stream; memory grows with the number of different CVEs, not of assets or
 * findings. Order: decrease of Σ score⁴, then removed hazard, then asset id and id.
 */
export async function bestFixes(
  subjects: Iterable<ScoringSubject> | AsyncIterable<ScoringSubject>,
  catalogue: ScoringCatalogue,
  at: number,
  { unchanged = EMPTY_RISK_SUM, limit = FIXES_MAX }: FixOptions = {},
): Promise<BestFixes> {
  const findings = new Best(limit);
  const cves = new Map<string, Candidate>();
  let sum = unchanged;
  for await (const subject of subjects) {
    const found = weaknessesOf(subject, catalogue, at);
    const asset = fixableAsset(subject, found);
    if (found.isScored) sum = addRiskSums(sum, asset.sum);
    for (const fix of findingFixes(found)) findings.add(asset.candidate({ ...fix, kind: 'finding' }));
    for (const fix of cveFixes(found)) addCve(cves, asset.candidate({ ...fix, kind: 'cve' }));
  }
  const bestCves = new Best(limit);
  for (const candidate of cves.values()) bestCves.add(candidate);
  return {
    score: sum.scoredAssets === 0 ? null : groupHundredths(sum) / HUNDREDTHS,
    findings: findings.sorted().map((candidate) => toFix(candidate, sum)),
    cves: bestCves.sorted().map((candidate) => toFix(candidate, sum)),
  };
}

/** The part that a fix removes from its asset. */
interface AssetFix {
  id: string;
  name: string | null;
  hazard: number;
}

function fixableAsset({ asset }: ScoringSubject, found: Weaknesses) {
  const weight = criticalityWeight(asset.criticality);
  const hazard = totalHazard(found);
  const before = fourthPower(riskHundredths(hazard, weight));
  return {
    sum: { assets: 1, scoredAssets: 1, fourthPowers: before, likelihood: likelihoodMillionths(hazard) },
    candidate: ({ id, kind, name, hazard: removed }: AssetFix & Pick<Fix, 'kind'>): Candidate => ({
      kind,
      id,
      assetId: kind === 'finding' ? asset.id : null,
      name,
      assets: 1,
      fourthPowers: before - fourthPower(riskHundredths(hazard - removed, weight)),
      hazard: removed,
    }),
  };
}

/** A fixed finding hands each of its CVEs to the next finding that has it, so that only the difference goes. */
function findingFixes({ weaknesses }: Weaknesses): AssetFix[] {
  const fixes = new Map<string, AssetFix>();
  for (const { exposures } of weaknesses.values()) {
    const [{ finding, hazard }, next] = exposures;
    const fix = fixes.get(finding.id) ?? { id: finding.id, name: finding.name, hazard: 0 };
    fix.hazard += hazard - (next?.hazard ?? 0);
    fixes.set(finding.id, fix);
  }
  return [...fixes.values()];
}

const cveFixes = ({ weaknesses }: Weaknesses): AssetFix[] =>
  [...weaknesses.values()].flatMap(({ key, exposures: [{ cve, hazard }] }) =>
    cve === null ? [] : { id: key, name: null, hazard },
  );

function addCve(cves: Map<string, Candidate>, one: Candidate): void {
  const known = cves.get(one.id);
  if (!known) cves.set(one.id, one);
  else {
    known.assets += one.assets;
    known.fourthPowers += one.fourthPowers;
    known.hazard += one.hazard;
  }
}

function toFix({ fourthPowers, hazard: _, ...fix }: Candidate, sum: RiskSum): Fix {
  const after = groupHundredths({ ...sum, fourthPowers: sum.fourthPowers - fourthPowers });
  return {
    ...fix,
    scoreAfter: after / HUNDREDTHS,
    lowersBy: (groupHundredths(sum) - after) / HUNDREDTHS,
  };
}

/** Keeps the best of many candidates; candidates without effect do not count. */
class Best {
  private kept: Candidate[] = [];
  constructor(private readonly limit: number) {}

  add(candidate: Candidate): void {
    if (candidate.hazard === 0) return;
    this.kept.push(candidate);
    // Sorting a short array sometimes costs less than keeping it in order.
    if (this.kept.length >= 2 * this.limit + 100) this.kept = this.sorted();
  }

  sorted(): Candidate[] {
    return this.kept.sort(byEffect).slice(0, this.limit);
  }
}

function byEffect(a: Candidate, b: Candidate): number {
  if (a.fourthPowers !== b.fourthPowers) return a.fourthPowers > b.fourthPowers ? -1 : 1;
  return b.hazard - a.hazard || compare(a.assetId ?? '', b.assetId ?? '') || compare(a.id, b.id);
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
