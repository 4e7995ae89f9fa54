import { criticalityWeight } from '../criticality-weight.ts';
import {
  addRiskSums,
  EMPTY_RISK_SUM,
  fourthPower,
  fourthRoot,
  groupHundredths,
  type RiskSum,
} from '../group-score.ts';
import { likelihoodMillionths, riskHundredths } from '../risk-score.ts';
import type { ScoringSubject } from '../scoring-facts.ts';
import { totalHazard, weaknessesOf } from '../weaknesses.ts';
import { type AssetEffect, assetEffects, exactFourthPower, scoredCause } from './asset-causes.ts';
import { CAUSES_MAX, compare, type Explanation, explanationOf, keyOf } from './explanation.ts';
import type { AssetMove, Cause, Moment } from './moment.ts';

export interface MoveOptions {
  /** Sum of the assets that are the same on both sides and are not among the moves. */
  unchanged?: RiskSum;
  /** Causes named one by one; 100 by default. */
  limit?: number;
  /** Ids of causes that get one common share. */
  together?: ReadonlySet<string>;
}

/**
 * What moved the score of an asset, a group or the organization between two instants. Each cause's effect on the mean
 * of fourth powers is computed apart (docs/scoring.md "What moved a score"); points are given in proportion, that is by
 * the slope of the move, and rounded so that they add up exactly. The order of moves and findings does not matter.
 * Memory grows with the number of causes.
 */
export async function explainMove(
  moves: Iterable<AssetMove> | AsyncIterable<AssetMove>,
  from: Moment,
  to: Moment,
  { unchanged = EMPTY_RISK_SUM, limit = CAUSES_MAX, ...asked }: MoveOptions = {},
): Promise<Explanation> {
  const group = new MovingGroup(unchanged);
  for await (const move of moves) group.add(move, [from, to]);
  const slope = group.slope();
  const parts = mergeCauses(group.effects()).map(({ cause, effect }) => ({ cause, part: effect * slope }));
  const [before, after] = group.sums.map((sum) => (sum.scoredAssets > 0 ? groupHundredths(sum) : null));
  return explanationOf([before!, after!], parts, limit, asked);
}

/** One side of an asset that has a score there. */
interface ScoredSide {
  exact: number;
  sum: RiskSum;
}

/** Gathers the moves of a group, until its mean on both sides is known. */
class MovingGroup {
  sums: [RiskSum, RiskSum];
  private readonly inside = new CauseEffects();
  private readonly left: AssetEffect[] = [];
  private readonly entered: AssetEffect[] = [];
  private readonly exact: [number[], number[]] = [[], []];
  private common: number;

  constructor(private readonly unchanged: RiskSum) {
    this.sums = [unchanged, unchanged];
    this.common = unchanged.scoredAssets;
  }

  add(move: AssetMove, moments: [Moment, Moment]): void {
    const before = scoredSide(move.from, moments[0]);
    const after = scoredSide(move.to, moments[1]);
    if (before) this.sums[0] = addRiskSums(this.sums[0], before.sum);
    if (after) this.sums[1] = addRiskSums(this.sums[1], after.sum);
    if (before && after) {
      this.common++;
      this.exact[0].push(before.exact);
      this.exact[1].push(after.exact);
      for (const one of assetEffects(move.from!, move.to!, moments)) this.inside.add(one);
    } else if (before) this.left.push({ cause: scoredCause(move, moments), effect: before.exact });
    else if (after) this.entered.push({ cause: scoredCause(move, moments), effect: after.exact });
  }

  /** Effects on the mean of fourth powers: of the assets that leave, then of the assets that stay, then of new ones. */
  effects(): AssetEffect[] {
    const { common } = this;
    const [stayedBefore, stayedAfter] = this.commonSums();
    const meanBefore = common > 0 ? stayedBefore / common : 0;
    const meanAfter = common > 0 ? stayedAfter / common : 0;
    return [
      ...scaled(this.left, (power) => (meanBefore - power) / (common + this.left.length)),
      ...scaled(this.inside.merged(), (effect) => effect / common),
      ...scaled(this.entered, (power) => (power - meanAfter) / (common + this.entered.length)),
    ];
  }

  /** Points of the score for a unit of the mean of fourth powers in this move. */
  slope(): number {
    const [stayedBefore, stayedAfter] = this.commonSums();
    const before = mean(stayedBefore + total(this.left), this.common + this.left.length);
    const after = mean(stayedAfter + total(this.entered), this.common + this.entered.length);
    if (before !== after) return (fourthRoot(after) - fourthRoot(before)) / (after - before);
    return before === 0 ? 0 : fourthRoot(before) / (4 * before);
  }

  private commonSums(): [number, number] {
    const unchanged = Number(this.unchanged.fourthPowers);
    return [unchanged + sumOf(this.exact[0]), unchanged + sumOf(this.exact[1])];
  }
}

function scoredSide(subject: ScoringSubject | null, { catalogue, at }: Moment): ScoredSide | null {
  if (!subject) return null;
  const found = weaknessesOf(subject, catalogue, at);
  if (!found.isScored) return null;
  const hazard = totalHazard(found);
  const weight = criticalityWeight(subject.asset.criticality);
  return {
    exact: exactFourthPower(hazard, weight),
    sum: {
      assets: 1,
      scoredAssets: 1,
      fourthPowers: fourthPower(riskHundredths(hazard, weight)),
      likelihood: likelihoodMillionths(hazard),
    },
  };
}

const scaled = (effects: AssetEffect[], by: (effect: number) => number): AssetEffect[] =>
  effects.map(({ cause, effect }) => ({ cause, effect: by(effect) }));

const mean = (sum: number, count: number) => (count === 0 ? 0 : sum / count);
const total = (effects: AssetEffect[]) => sumOf(effects.map(({ effect }) => effect));

/** Sorted before it is summed: the same in any order. */
const sumOf = (values: readonly number[]) => [...values].sort((a, b) => a - b).reduce((a, b) => a + b, 0);

/** Effects by cause: a catalogue change that moves all assets is kept once. */
class CauseEffects {
  private readonly byKey = new Map<string, { cause: Cause; effects: number[] }>();

  add({ cause, effect }: AssetEffect): void {
    const key = keyOf(cause);
    const known = this.byKey.get(key);
    if (known) known.effects.push(effect);
    else this.byKey.set(key, { cause, effects: [effect] });
  }

  /** One entry a cause, in the order of their keys. */
  merged(): AssetEffect[] {
    return [...this.byKey.entries()]
      .sort(([a], [b]) => compare(a, b))
      .map(([, { cause, effects }]) => ({ cause, effect: sumOf(effects) }));
  }
}

function mergeCauses(effects: AssetEffect[]): AssetEffect[] {
  const causes = new CauseEffects();
  for (const one of effects) causes.add(one);
  return causes.merged();
}
