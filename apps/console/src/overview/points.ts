import type { Api } from '../api/client.ts';
import { percent } from '../parts/score.tsx';

/** The organization at an instant. */
export interface Point {
  /** Epoch milliseconds. */
  at: number;
  /** 0 to 100; null where nothing was scored. */
  score: number | null;
  /** In per cent, so that it shares the axis of the score. */
  likelihood: number | null;
}

/** The past as it is kept, and behind it the present, which moves. */
export function pointsOf(
  history: readonly Api['ScorePointDto'][],
  latest: Pick<Api['ScorePointDto'], 'score' | 'breachLikelihood'>,
  latestAt: number,
): Point[] {
  const past = history.map(({ at, score, breachLikelihood }) => ({
    at: Date.parse(at),
    score,
    likelihood: inPercent(breachLikelihood),
  }));
  const now = { at: latestAt, score: latest.score, likelihood: inPercent(latest.breachLikelihood) };
  return [...past.filter(({ at }) => at < latestAt), now];
}

const inPercent = (likelihood: number | null) => (likelihood === null ? null : likelihood * 100);

const isScored = (point: Point): point is Point & { score: number } => point.score !== null;

/** The course in one sentence, for who cannot see the lines. */
export function courseSentence(points: readonly Point[], range: string): string {
  const scored = points.filter(isScored);
  const [first, last] = [scored[0], scored.at(-1)];
  if (!first || !last) return `Nothing was scored in ${range}.`;
  const scores = scored.map(({ score }) => score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)].map((score) => score.toFixed(1));
  const from = `from ${first.score.toFixed(1)} to ${last.score.toFixed(1)}`;
  const likelihoods = [first, last].map(({ likelihood }) => percent((likelihood ?? 0) / 100));
  return (
    `In ${range} the risk score went ${from}, between ${least} and ${most}; ` +
    `the breach likelihood went from ${likelihoods[0]} to ${likelihoods[1]}.`
  );
}

/** Some of the points, evenly chosen, the last one among them. */
export function thinned(points: readonly Point[], most: number): Point[] {
  const every = Math.ceil(points.length / most);
  return points.filter((_, i) => (points.length - 1 - i) % every === 0);
}

/** Two instants of the service: at the first nothing was scored, at the second something was. */
export interface Beginning {
  after: string;
  by: string;
}

/**
 * When scores began, as closely as the points tell; null where that is before the first one, and where nothing is scored.
 * @param points the earliest first, the present last; each with the service's own time, never that of this browser
 */
export function beginning(points: readonly { at: string | null; score: number | null }[]): Beginning | null {
  const first = points.findIndex(({ score }) => score !== null);
  const [after, by] = [points[first - 1]?.at, points[first]?.at];
  return after && by ? { after, by } : null;
}
