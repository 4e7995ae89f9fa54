import type { ThreatCatalogue, ThreatenedSubject } from '../facts.ts';
import { type FixEffect, fixEffects } from '../fix-effects.ts';
import type { Targeting } from '../targeting.ts';
import { addLossSums, estimatedLoss, type LossSums, lossSumsOf, subtractLossSums } from './estimated-loss.ts';
import type { LossRange } from './loss-range.ts';
import { yearlyHazards } from './yearly-hazards.ts';

/** What each fix of an asset does to its hazard of compromise within a year (best value). */
export interface LossEffects {
  assetId: string;
  hazard: number;
  range: LossRange | null;
  fixes: (Pick<FixEffect, 'kind' | 'id' | 'name'> & { hazard: number })[];
}

export function lossEffects(
  subject: ThreatenedSubject,
  range: LossRange | null,
  catalogue: ThreatCatalogue,
  at: number,
  targeting: Targeting,
): LossEffects {
  const { before, fixes } = fixEffects(subject, catalogue, at, targeting);
  return {
    assetId: subject.asset.id,
    hazard: yearlyHazards(before.sums, targeting).best,
    range,
    fixes: fixes.map(({ after, ...fix }) => ({ ...fix, hazard: yearlyHazards(after.sums, targeting).best })),
  };
}

/** A fix that is worth a simulation. */
export interface LossFix extends Pick<FixEffect, 'kind' | 'id' | 'name'> {
  /** Of a finding; null for a CVE. */
  assetId: string | null;
  /** How many assets it changes. */
  assets: number;
}

interface Candidate extends LossFix {
  removed: LossSums;
}

/**
 * The fixes with the greatest estimated avoided loss, the greatest first: simulating every possible fix would take days.
 * Assets may come as a stream; memory grows with the number of different CVEs.
 * @param whole sums of all assets that can be lost
 * @param limit of findings, and of CVEs
 */
export async function likelyFixes(
  effects: Iterable<LossEffects> | AsyncIterable<LossEffects>,
  whole: LossSums,
  limit: number,
): Promise<LossFix[]> {
  const avoided = ({ removed }: Candidate) =>
    estimatedLoss(whole) - estimatedLoss(subtractLossSums(whole, removed));
  const best = (candidates: Candidate[]) =>
    candidates
      .map((candidate) => ({ candidate, avoided: avoided(candidate) }))
      .filter((one) => one.avoided > 0)
      .sort((a, b) => b.avoided - a.avoided || (a.candidate.id < b.candidate.id ? -1 : 1))
      .slice(0, limit)
      .map(({ candidate }) => candidate);
  let findings: Candidate[] = [];
  const cves = new Map<string, Candidate>();
  for await (const { assetId, hazard, range, fixes } of effects) {
    const own = lossSumsOf({ hazard, range });
    for (const { hazard: after, ...fix } of fixes) {
      const removed = subtractLossSums(own, lossSumsOf({ hazard: after, range }));
      if (fix.kind === 'finding') findings.push({ ...fix, assetId, assets: 1, removed });
      else addCve(cves, { ...fix, assetId: null, assets: 1, removed });
    }
    // Sorting now and then costs less than keeping an order.
    if (findings.length > 2 * limit + 1_000) findings = best(findings);
  }
  return [...best(findings), ...best([...cves.values()])].map(({ removed: _, ...fix }) => fix);
}

function addCve(cves: Map<string, Candidate>, one: Candidate): void {
  const known = cves.get(one.id);
  if (!known) cves.set(one.id, one);
  else {
    known.assets += one.assets;
    known.removed = addLossSums(known.removed, one.removed);
  }
}
