import { ASSET_ADDED, ASSET_REMOVED } from '../../explain/cause-words.ts';
import { CAUSES_MAX, type Explanation, explanationOf } from '../../explain/explanation.ts';
import type { AssetMove, Cause } from '../../explain/moment.ts';
import { fourthPower } from '../../group-score.ts';
import { assetThreats } from '../asset-threats.ts';
import type { ThreatenedSubject } from '../facts.ts';
import { EMPTY_GROUP_SUMS, type GroupSums, groupHundredths } from '../group-risk.ts';
import { scoreHundredths } from '../risk-points.ts';
import { riskSumsOf } from '../risk-sums.ts';
import { DEFAULT_TARGETING, type Targeting } from '../targeting.ts';
import { divideAsset } from './asset-division.ts';
import { type ExactScore, exactScore, powerOf } from './exact-score.ts';
import { MixedAsset, type ThreatMoment } from './mixed-asset.ts';
import { MovingGroup } from './moving-group.ts';
import { BEGIN, END, MIXTURES } from './parties.ts';

export type ThreatMove = AssetMove<ThreatenedSubject>;

/** The sums of a group that its score follows from. */
type ScoreParts = Pick<GroupSums, 'assets' | 'scoredAssets' | 'fourthPowers'>;

export interface ThreatMoveOptions {
  /** Sums of the assets that are the same on both sides and are not among the moves. */
  unchanged?: ScoreParts;
  /** Causes named one by one; 100 by default. */
  limit?: number;
  targeting?: Targeting;
  /** Causes of single assets that are distinguished at all. */
  distinguished?: number;
  /** Ids of findings that get one common share; they are always distinguished. */
  together?: ReadonlySet<string>;
}

/**
 * What moved the score of an asset, a group or the organization between two instants, both by posture-2 with the same
 * targeting (docs/scoring.md "What moved a score of posture-2"). Parts add up exactly; the order of moves and findings
 * does not matter. Memory grows with the number of different CVEs and techniques.
 */
export async function explainMove(
  moves: Iterable<ThreatMove> | AsyncIterable<ThreatMove>,
  from: ThreatMoment,
  to: ThreatMoment,
  { limit = CAUSES_MAX, ...options }: ThreatMoveOptions = {},
): Promise<Explanation> {
  const { scores, parts, rest } = await divideMove(moves, from, to, options);
  const adjusted = adjustment((scores[1] ?? 0) - (scores[0] ?? 0), [
    ...parts.map(({ part }) => part),
    rest.part,
  ]);
  const fitted = parts.map(({ cause, part }) => ({ cause, part: adjusted(part) }));
  const asked = { rest: { ...rest, part: adjusted(rest.part) }, together: options.together };
  return explanationOf(scores, fitted, limit, asked);
}

/**
 * Adds to parts, in proportion to their sizes, what their sum lacks of the difference of rounded scores. A part keeps its
 * sign if all have one sign, so that rounding a fall does not make a cause that rises.
 */
function adjustment(difference: number, parts: readonly number[]): (part: number) => number {
  const sum = parts.reduce((total, part) => total + part, 0);
  const size = parts.reduce((total, part) => total + Math.abs(part), 0);
  return (part) => (size === 0 ? part : part + ((difference - sum) * Math.abs(part)) / size);
}

/** The scores of both sides in hundredths, null if nothing is scored, and the parts of the difference before rounding. */
export async function divideMove(
  moves: Iterable<ThreatMove> | AsyncIterable<ThreatMove>,
  from: ThreatMoment,
  to: ThreatMoment,
  {
    unchanged = EMPTY_GROUP_SUMS,
    targeting = DEFAULT_TARGETING,
    distinguished,
    together,
  }: Omit<ThreatMoveOptions, 'limit'> = {},
) {
  const group = new MovingGroup(unchanged.assets, Number(unchanged.fourthPowers), {
    distinguished,
    together,
  });
  const sums: [ScoreParts, ScoreParts] = [unchanged, unchanged];
  for await (const move of moves) {
    if (move.from && move.to) {
      const asset = new MixedAsset([move.from, move.to], [from, to], targeting);
      sums[0] = plus(sums[0], move.from, { isScored: asset.isScored(BEGIN), score: asset.scoreOf(BEGIN) });
      sums[1] = plus(sums[1], move.to, { isScored: asset.isScored(END), score: asset.scoreOf(END) });
      const powers = Float64Array.from(MIXTURES, (mixture) => powerOf(asset.scoreOf(mixture)));
      group.addStaying(powers, divideAsset(asset));
    } else if (move.from) {
      const side = scoredSide(move.from, from, targeting);
      sums[0] = plus(sums[0], move.from, side);
      group.addLeaving(passing(move, ASSET_REMOVED), powerOf(side.score));
    } else if (move.to) {
      const side = scoredSide(move.to, to, targeting);
      sums[1] = plus(sums[1], move.to, side);
      group.addJoining(passing(move, ASSET_ADDED), powerOf(side.score));
    }
  }
  return { scores: [hundredthsOf(sums[0]), hundredthsOf(sums[1])] as const, ...group.parts() };
}

interface ScoredSide {
  isScored: boolean;
  score: ExactScore;
}

function scoredSide(
  subject: ThreatenedSubject,
  { catalogue, at }: ThreatMoment,
  targeting: Targeting,
): ScoredSide {
  const threats = assetThreats(subject, catalogue, at, targeting);
  const score = exactScore(riskSumsOf(threats).weighted, subject.asset.criticality);
  return { isScored: threats.isScored, score };
}

const plus = (
  sums: ScoreParts,
  { asset }: ThreatenedSubject,
  { isScored, score }: ScoredSide,
): ScoreParts => ({
  assets: sums.assets + 1,
  scoredAssets: sums.scoredAssets + (isScored ? 1 : 0),
  fourthPowers: sums.fourthPowers + fourthPower(scoreHundredths(score.weighted, asset.criticality)),
});

const passing = ({ assetId }: ThreatMove, what: string): Cause => ({
  kind: 'asset',
  id: assetId,
  assetId,
  name: null,
  what,
});

const hundredthsOf = (sums: ScoreParts): number | null =>
  sums.scoredAssets === 0 ? null : groupHundredths(sums);
