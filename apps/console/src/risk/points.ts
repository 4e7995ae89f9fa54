import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fixed } from '../language/format.ts';
import { type ModelChange, modelChangeText } from '../parts/model-change.tsx';
import { probabilityText } from '../parts/score.tsx';

/** Values of the organization or a group at one time. */
export interface Point {
  /** Epoch milliseconds. */
  at: number;
  /** 0 to 100; null if not scored. */
  score: number | null;
  /** In percent, to share the axis of the score. */
  likelihood: number | null;
  /** Of the likelihood, 0 to 1; null with posture-1. */
  interval: { low: number; high: number } | null;
}

type Values = Pick<Api['ScorePointDto'], 'score' | 'breachLikelihood' | 'likelihood'>;

/** The stored past values, followed by the current value. Each change of the model interrupts them. */
export function pointsOf(
  history: readonly Api['ScorePointDto'][],
  latest: Values,
  latestAt: number,
  changes: readonly ModelChange[],
): Point[] {
  const past = history.map((point) => pointOf(Date.parse(point.at), point));
  const gaps = changes.map(({ at }) => ({ at: at - 1, score: null, likelihood: null, interval: null }));
  return [...past, ...gaps]
    .filter(({ at }) => at < latestAt)
    .sort((a, b) => a.at - b.at)
    .concat(pointOf(latestAt, latest));
}

const pointOf = (at: number, { score, breachLikelihood, likelihood }: Values): Point => ({
  at,
  score,
  likelihood: breachLikelihood === null ? null : breachLikelihood * 100,
  interval: likelihood ?? null,
});

const isScored = (point: Point): point is Point & { score: number } => point.score !== null;

/** The trend as text, for screen readers: since the last change of the model, because scores before it differ. */
export function trendText(points: readonly Point[], range: string, changes: readonly ModelChange[]): string {
  const change = changes.at(-1);
  if (change) {
    const comparable = points.filter(({ at }) => at >= change.at);
    return `${modelChangeText(change)} ${sinceText(t`the time since then`, comparable)}`;
  }
  return sinceText(range, points);
}

function sinceText(range: string, points: readonly Point[]): string {
  const scored = points.filter(isScored);
  const [first, last] = [scored[0], scored.at(-1)];
  if (!first || !last) return t`No scores in ${range}.`;
  const scores = scored.map(({ score }) => score);
  const [least, most] = [fixed(Math.min(...scores)), fixed(Math.max(...scores))];
  const [from, to] = [fixed(first.score), fixed(last.score)];
  const [likelihoodFrom, likelihoodTo] = [likelihoodText(first), likelihoodText(last)];
  return t`In ${range} the risk score changed from ${from} to ${to} (minimum ${least}, maximum ${most}). The breach likelihood changed from ${likelihoodFrom} to ${likelihoodTo}.`;
}

const likelihoodText = ({ likelihood }: Point): string => probabilityText((likelihood ?? 0) / 100);

/** At most `most` evenly distributed points, including the last. */
export function thinned(points: readonly Point[], most: number): Point[] {
  const every = Math.ceil(points.length / most);
  return points.filter((_, i) => (points.length - 1 - i) % every === 0);
}

/** Two times of the service clock: before and after the first score. */
export interface Beginning {
  after: string;
  by: string;
}

/**
 * The interval of the first score; null if it precedes the first point or if nothing is scored.
 * @param points earliest first, with times of the service, because the browser clock may be wrong
 */
export function beginning(points: readonly { at: string | null; score: number | null }[]): Beginning | null {
  const first = points.findIndex(({ score }) => score !== null);
  const [after, by] = [points[first - 1]?.at, points[first]?.at];
  return after && by ? { after, by } : null;
}
