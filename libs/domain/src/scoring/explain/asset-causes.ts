import { criticalityWeight } from '../criticality-weight.ts';
import { HAZARD_UNITS, likelihoodOf } from '../hazard.ts';
import { exactRisk } from '../risk-score.ts';
import type { AssetFacts, FindingFacts, ScoringSubject } from '../scoring-facts.ts';
import { totalHazard, type Weaknesses, weaknessesOf } from '../weaknesses.ts';
import {
  ASSET_ADDED,
  ASSET_REMOVED,
  assetWords,
  catalogueWords,
  findingKind,
  findingWords,
} from './cause-words.ts';
import type { AssetMove, Cause, Moment } from './moment.ts';
import { type Side, shapley } from './shapley.ts';

/** A cause with its effect on the fourth power of the asset's risk in hundredths, before rounding. */
export interface AssetEffect {
  cause: Cause;
  effect: number;
}

type Sides<T> = readonly [T, T];

/**
 * Divides the change of one asset that is scored on both sides among its causes. The effects add up to the change of
 * risk⁴: criticality against hazard by the mean of both orders, hazard by weakness, each weakness by the Shapley value
 * of findings, catalogues and the asset's requirements.
 */
export function assetEffects(
  from: ScoringSubject,
  to: ScoringSubject,
  moments: Sides<Moment>,
): AssetEffect[] {
  const subjects = [from, to] as const;
  const worlds = weaknessCube(subjects, moments);
  const before = side(from, worlds(0, 0, 0));
  const after = side(to, worlds(1, 1, 1));
  const perHazard = hazardSlope(before, after);
  const own = { cause: assetCause(from, to), effect: weightEffect(before, after) };
  const findings = [findingsById(from), findingsById(to)] as const;
  const effects: AssetEffect[] = [];
  for (const key of weaknessKeys(worlds)) {
    const shares = shapley((a, f, c) => hazardOfKey(worlds(a, f, c), key));
    own.effect += shares.asset * perHazard;
    const names = { key, subjects, findings, moments, worlds };
    if (shares.findings !== 0) {
      effects.push({ cause: findingCause(names, shares.findings), effect: shares.findings * perHazard });
    }
    if (shares.catalogue !== 0) {
      effects.push({ cause: catalogueCause(names), effect: shares.catalogue * perHazard });
    }
  }
  return own.effect === 0 ? effects : [own, ...effects];
}

const findingsById = ({ findings }: ScoringSubject) =>
  new Map(findings.map((finding) => [finding.id, finding]));

type Worlds = (asset: Side, findings: Side, catalogue: Side) => Weaknesses;

/** The weaknesses of all eight mixtures of before and after, each computed once; of four if CIA does not change. */
function weaknessCube(subjects: Sides<ScoringSubject>, moments: Sides<Moment>): Worlds {
  const known = new Map<number, Weaknesses>();
  const assetStep = haveSameRequirements(subjects[0].asset, subjects[1].asset) ? 0 : 4;
  return (asset, findings, catalogue) => {
    const index = asset * assetStep + findings * 2 + catalogue;
    let world = known.get(index);
    if (!world) {
      const mixed = { asset: subjects[asset].asset, findings: subjects[findings].findings };
      world = weaknessesOf(mixed, moments[catalogue].catalogue, moments[findings].at);
      known.set(index, world);
    }
    return world;
  };
}

/** All that weaknesses ask of an asset. */
const haveSameRequirements = (a: AssetFacts, b: AssetFacts) =>
  a.confidentialityRequirement === b.confidentialityRequirement &&
  a.integrityRequirement === b.integrityRequirement &&
  a.availabilityRequirement === b.availabilityRequirement;

function weaknessKeys(worlds: Worlds): string[] {
  const sides = [0, 1] as const;
  const keys = sides.flatMap((f) => sides.flatMap((c) => [...worlds(0, f, c).weaknesses.keys()]));
  return [...new Set(keys)].sort();
}

const hazardOfKey = ({ weaknesses }: Weaknesses, key: string) =>
  weaknesses.get(key)?.exposures[0].hazard ?? 0;

interface RiskSide {
  weight: number;
  hazard: number;
}

const side = ({ asset }: ScoringSubject, world: Weaknesses): RiskSide => ({
  weight: criticalityWeight(asset.criticality),
  hazard: totalHazard(world),
});

/** risk⁴ in hundredths, before rounding. */
export const exactFourthPower = (hazard: number, weight: number): number => exactRisk(hazard, weight) ** 4;

function weightEffect(before: RiskSide, after: RiskSide): number {
  const at = (hazard: number) =>
    exactFourthPower(hazard, after.weight) - exactFourthPower(hazard, before.weight);
  return (at(before.hazard) + at(after.hazard)) / 2;
}

/** The effect of a unit of hazard in this move: the mean slope between both ends, the tangent if they are equal. */
function hazardSlope(before: RiskSide, after: RiskSide): number {
  const along = (weight: number) =>
    before.hazard === after.hazard
      ? tangent(before.hazard, weight)
      : (exactFourthPower(after.hazard, weight) - exactFourthPower(before.hazard, weight)) /
        (after.hazard - before.hazard);
  return (along(before.weight) + along(after.weight)) / 2;
}

function tangent(hazard: number, weight: number): number {
  const most = exactRisk(Number.POSITIVE_INFINITY, weight);
  return (4 * exactRisk(hazard, weight) ** 3 * most * (1 - likelihoodOf(hazard))) / HAZARD_UNITS;
}

const assetCause = (from: ScoringSubject, to: ScoringSubject): Cause => ({
  kind: 'asset',
  id: to.asset.id,
  assetId: to.asset.id,
  name: null,
  what: assetWords(from.asset, to.asset),
});

interface Named {
  key: string;
  subjects: Sides<ScoringSubject>;
  /** By id, on both sides. */
  findings: Sides<Map<string, FindingFacts>>;
  moments: Sides<Moment>;
  worlds: Worlds;
}

const exposureOf = ({ worlds, key }: Named, findings: Side, catalogue: Side) =>
  worlds(0, findings, catalogue).weaknesses.get(key)?.exposures[0];

/** The finding that added a weakness, if it rose; that removed it, if it fell. */
function findingCause(named: Named, effect: number): Cause {
  const order: Side[] = effect > 0 ? [1, 0] : [0, 1];
  const found = order.flatMap((f) => ([0, 1] as const).flatMap((c) => exposureOf(named, f, c) ?? []))[0]!;
  const { id, name } = found.finding;
  const { subjects, findings, moments } = named;
  const [before, after] = findings.map((byId) => byId.get(id));
  return {
    kind: findingKind(before, after),
    id,
    assetId: subjects[1].asset.id,
    name,
    what: findingWords(before, after, moments[0].at, moments[1].at),
  };
}

function catalogueCause(named: Named): Cause {
  const sides = [0, 1] as const;
  const found = sides.flatMap((f) => sides.flatMap((c) => exposureOf(named, f, c) ?? []))[0]!;
  const id = found.cve ?? found.technique!;
  return { kind: 'catalogue', id, assetId: null, name: null, what: catalogueWords(id, ...named.moments) };
}

/** Why an asset has a score on one side only: it was added or removed, its findings were, or the catalogues changed. */
export function scoredCause({ assetId, from, to }: AssetMove, moments: Sides<Moment>): Cause {
  const cause = (kind: Cause['kind'], what: string): Cause => ({
    kind,
    id: assetId,
    assetId,
    name: null,
    what,
  });
  if (!from || !to) return cause('asset', from ? ASSET_REMOVED : ASSET_ADDED);
  const isScored = (findings: Side, catalogue: Side) =>
    weaknessCube([from, to], moments)(0, findings, catalogue).isScored;
  const kind = isScored(0, 0) === isScored(0, 1) ? 'finding' : 'catalogue';
  const what = isScored(1, 1) ? 'carries a valid mapping now' : 'no longer has a valid mapping';
  return cause(kind, `the asset ${what}`);
}
