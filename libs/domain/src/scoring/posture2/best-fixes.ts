import { HUNDREDTHS } from '../risk-score.ts';
import type { ThreatCatalogue, ThreatenedSubject } from './facts.ts';
import { type FixEffect, fixEffects } from './fix-effects.ts';
import {
  addGroupSums,
  EMPTY_GROUP_SUMS,
  type GroupRisk,
  type GroupSums,
  groupRisk,
  groupSumsOf,
  subtractGroupSums,
} from './group-risk.ts';
import { DEFAULT_TARGETING, type Targeting } from './targeting.ts';

/** A fix that lowers the risk of the assets looked at. */
export interface Fix extends Pick<FixEffect, 'kind' | 'id' | 'name'> {
  /** Of a finding; null for a CVE. */
  assetId: string | null;
  /** How many assets it changes. */
  assets: number;
  /** All assets looked at, once this alone is fixed. */
  after: GroupRisk;
  /** Points that the score falls by, in whole hundredths. */
  lowersBy: number;
}

export interface BestFixes {
  before: GroupRisk;
  /** The best single findings, the best first. */
  findings: Fix[];
  /** The best CVEs, fixed wherever they are, the best first. */
  cves: Fix[];
}

export interface FixOptions {
  /** Sums of assets that belong to those looked at, and that no fix is looked for on. */
  unchanged?: GroupSums;
  /** Fixes of each list. */
  limit?: number;
  targeting?: Targeting;
}

const FIXES_MAX = 10;

/** A fix under way, with what it takes out of the sums. */
interface Candidate extends Pick<Fix, 'kind' | 'id' | 'name' | 'assetId' | 'assets'> {
  removed: GroupSums;
}

/**
 * The fixes that lower the score of these assets most, each taken alone. Assets may come as a stream; memory grows with
 * the number of different CVEs. Order: fall of Σ score⁴, then of the squared hazards, then asset id and id.
 */
export async function bestFixes(
  subjects: Iterable<ThreatenedSubject> | AsyncIterable<ThreatenedSubject>,
  catalogue: ThreatCatalogue,
  at: number,
  { unchanged = EMPTY_GROUP_SUMS, limit = FIXES_MAX, targeting = DEFAULT_TARGETING }: FixOptions = {},
): Promise<BestFixes> {
  let findings: Candidate[] = [];
  const cves = new Map<string, Candidate>();
  let sums = unchanged;
  for await (const subject of subjects) {
    const { before, fixes } = fixEffects(subject, catalogue, at, targeting);
    const own = groupSumsOf(before);
    sums = addGroupSums(sums, own);
    for (const { after, kind, id, name } of fixes) {
      const removed = subtractGroupSums(own, groupSumsOf(after));
      const assetId = kind === 'finding' ? subject.asset.id : null;
      const candidate = { kind, id, name, assetId, assets: 1, removed };
      if (kind === 'finding') findings.push(candidate);
      else addCve(cves, candidate);
    }
    // Sorting now and then costs less than keeping an order.
    if (findings.length > 2 * limit + 1_000) findings = best(findings, limit);
  }
  const toFix = (candidate: Candidate) => fixOf(candidate, sums, targeting);
  return {
    before: groupRisk(sums, targeting),
    findings: best(findings, limit).map(toFix),
    cves: best([...cves.values()], limit).map(toFix),
  };
}

function addCve(cves: Map<string, Candidate>, one: Candidate): void {
  const known = cves.get(one.id);
  if (!known) cves.set(one.id, one);
  else {
    known.assets += one.assets;
    known.removed = addGroupSums(known.removed, one.removed);
  }
}

function fixOf({ removed, ...fix }: Candidate, sums: GroupSums, targeting: Targeting): Fix {
  const before = groupRisk(sums, targeting);
  const after = groupRisk(subtractGroupSums(sums, removed), targeting);
  const hundredths = ({ score }: GroupRisk) => Math.round((score ?? 0) * HUNDREDTHS);
  return { ...fix, after, lowersBy: (hundredths(before) - hundredths(after)) / HUNDREDTHS };
}

/** Without those that take nothing out. */
const best = (candidates: Candidate[], limit: number): Candidate[] =>
  candidates
    .filter(({ removed }) => removed.fourthPowers > 0n || hazardOf(removed) > 0n)
    .sort(byEffect)
    .slice(0, limit);

const hazardOf = ({ hazards }: GroupSums): bigint => hazards.forecast + hazards.evidence.best;

const byEffect = (a: Candidate, b: Candidate): number =>
  descending(a.removed.fourthPowers, b.removed.fourthPowers) ||
  descending(hazardOf(a.removed), hazardOf(b.removed)) ||
  ascending(a.assetId ?? '', b.assetId ?? '') ||
  ascending(a.id, b.id);

const descending = (a: bigint, b: bigint) => (a > b ? -1 : Number(a < b));
const ascending = (a: string, b: string) => (a < b ? -1 : Number(a > b));
