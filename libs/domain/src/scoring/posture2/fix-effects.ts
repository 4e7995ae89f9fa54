import type { WhatIf } from '../what-if.ts';
import { type AssetRisk, assetRisk, riskOfSums } from './asset-risk.ts';
import { type AssetThreats, type AssetWeakness, assetThreats } from './asset-threats.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedSubject } from './facts.ts';
import {
  addRiskSums,
  evidenceSums,
  type RiskSums,
  riskSumsOf,
  subtractRiskSums,
  weaknessSums,
} from './risk-sums.ts';
import { controlVerdict } from './susceptibility.ts';
import type { Targeting } from './targeting.ts';
import { mappingsOf } from './weakness.ts';
import { applyWhatIf } from './what-if.ts';

/** One fix of an asset, alone. */
export interface FixEffect {
  kind: 'finding' | 'cve';
  /** Finding id, or CVE. */
  id: string;
  /** Of a finding; null for a CVE. */
  name: string | null;
  /** The asset once this is fixed. */
  after: AssetRisk;
}

export interface FixEffects {
  before: AssetRisk;
  fixes: FixEffect[];
}

/**
 * What each fix of an asset gives: what what-if gives, without scoring the asset anew for each. Only a fix of a control
 * scores it anew, because it changes the hazards of others too.
 */
export function fixEffects(
  subject: ThreatenedSubject,
  catalogue: ThreatCatalogue,
  at: number,
  targeting: Targeting,
): FixEffects {
  const { asset } = subject;
  const threats = assetThreats(subject, catalogue, at, targeting);
  const sums = riskSumsOf(threats);
  const riskWith = (left: RiskSums) => riskOfSums(left, threats.isScored, asset, targeting);
  const tried = (change: WhatIf): AssetRisk => {
    const after = assetThreats(applyWhatIf(subject, change, catalogue, at), catalogue, at, targeting);
    return assetRisk(after, asset, targeting);
  };
  const findings = [...removedByFinding(threats)].map(([finding, removed]): FixEffect => {
    const { id, name } = finding;
    const isControl = controlVerdict(finding, at) !== null;
    const after = isControl ? tried({ fixed: new Set([id]) }) : riskWith(subtractRiskSums(sums, removed));
    return { kind: 'finding', id, name, after };
  });
  const cves = [...threats.weaknesses].flatMap(([id, weakness]): FixEffect[] => {
    if (weakness.exposures[0].cve === null) return [];
    const after = passesControl(weakness, id, catalogue, at)
      ? tried({ fixedCves: new Set([id]) })
      : riskWith(subtractRiskSums(sums, weaknessSums(weakness)));
    return [{ kind: 'cve', id, name: null, after }];
  });
  return { before: riskWith(sums), fixes: [...findings, ...cves] };
}

/** What the sums lose with each counted finding: a CVE stays with the next finding that has it. */
function removedByFinding({ weaknesses, evidence }: AssetThreats): Map<AssessedFinding, RiskSums> {
  const removed = new Map<AssessedFinding, RiskSums>();
  const remove = (finding: AssessedFinding, part: RiskSums) => {
    const known = removed.get(finding);
    removed.set(finding, known ? addRiskSums(known, part) : part);
  };
  for (const weakness of weaknesses.values()) {
    const whole = weaknessSums(weakness);
    const hazards = greatestTwo(weakness.exposures.map(({ hazard }) => hazard));
    const impacts = greatestTwo(weakness.exposures.map(({ impact }) => impact));
    for (const { finding, hazard, impact } of weakness.exposures) {
      const left = { hazard: without(hazard, hazards), impact: without(impact, impacts) };
      remove(finding, subtractRiskSums(whole, weaknessSums(left)));
    }
  }
  for (const { finding, hazard } of evidence) remove(finding, evidenceSums(hazard));
  return removed;
}

/** The greatest first, equal ones too; 0 where there are fewer. */
function greatestTwo(values: readonly number[]): readonly [number, number] {
  let [first, second] = [0, 0];
  for (const value of values) {
    if (value > first) [first, second] = [value, first];
    else if (value > second) second = value;
  }
  return [first, second];
}

/** The greatest of values without one of them. */
const without = (value: number, [first, second]: readonly [number, number]): number =>
  value === first ? second : first;

/** Whether a failure of a control passes once this CVE, its only one, is fixed. */
const passesControl = (
  { exposures }: AssetWeakness,
  cve: string,
  catalogue: ThreatCatalogue,
  at: number,
): boolean =>
  exposures.some(
    ({ finding }) =>
      controlVerdict(finding, at) !== null &&
      mappingsOf(finding, catalogue).failures.some(({ cves }) => cves.length === 1 && cves[0] === cve),
  );
