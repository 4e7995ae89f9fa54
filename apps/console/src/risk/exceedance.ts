import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import type { Place } from '../parts/plot-path.ts';
import { probabilityText } from '../parts/score.tsx';

export type ExceedancePoint = Api['LossPointDto'];
export type Value = keyof Api['IntervalDto'];

/** Both axes of the curve are logarithmic. */
export interface Frame {
  /** Marked losses, powers of ten, the least first. The first and the last are the ends of the axis. */
  losses: number[];
  /** Marked probabilities; the first is the top and the last is the bottom of the axis. */
  probabilities: number[];
}

const MARKS_MAX = 6;
const ROUND_PROBABILITIES = [0.5, 0.1, 0.01, 0.001];

/** Null if no loss is exceeded with any of the probabilities. */
export function frameOf(points: readonly ExceedancePoint[]): Frame | null {
  const losses = points.flatMap(({ loss }) => Object.values(loss)).filter((loss) => loss > 0);
  const [top, bottom] = [points[0]?.probability, points.at(-1)?.probability];
  if (losses.length === 0 || top === undefined || bottom === undefined) return null;
  const least = Math.floor(Math.log10(Math.min(...losses)));
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(...losses))) - least);
  const step = Math.ceil(decades / (MARKS_MAX - 1));
  const marks = Math.ceil(decades / step) + 1;
  const between = ROUND_PROBABILITIES.filter((probability) => probability < top && probability > bottom);
  return {
    losses: Array.from({ length: marks }, (_, i) => 10 ** (least + i * step)),
    probabilities: [top, ...between, bottom],
  };
}

/** A loss of 0 is at the left end. */
export const placeOf = (loss: number, probability: number, { losses, probabilities }: Frame): Place => [
  loss > 0 ? part(loss, losses[0]!, losses.at(-1)!) : 0,
  part(probability, probabilities[0]!, probabilities.at(-1)!),
];

/** Corners of the curve of low, best or high. It starts at the last point without a loss. */
export function curveOf(points: readonly ExceedancePoint[], value: Value, frame: Frame): Place[] {
  const first = points.findIndex(({ loss }) => loss[value] > 0);
  if (first === -1) return [];
  return points
    .slice(Math.max(0, first - 1))
    .map(({ probability, loss }) => placeOf(loss[value], probability, frame));
}

/** Corners of the area between low and high. */
export const areaOf = (points: readonly ExceedancePoint[], frame: Frame): Place[] => [
  ...points.map(({ probability, loss }) => placeOf(loss.low, probability, frame)),
  ...points.toReversed().map(({ probability, loss }) => placeOf(loss.high, probability, frame)),
];

const part = (value: number, start: number, end: number): number =>
  Math.min(1, Math.max(0, Math.log(value / start) / Math.log(end / start)));

const WORDED = [0.1, 0.01];

/** The curve as text, for screen readers; the table has all points. */
export function curveText(points: readonly ExceedancePoint[], money: (amount: number) => string): string {
  const sentences = points
    .filter(({ probability }) => WORDED.includes(probability))
    .map(({ probability, loss }) => {
      const [chance, best, low, high] = [
        probabilityText(probability),
        money(loss.best),
        money(loss.low),
        money(loss.high),
      ];
      return t`With a probability of ${chance}, the loss of a year exceeds ${best} (${low} to ${high}).`;
    });
  return [t`Loss-exceedance curve.`, ...sentences].join(' ');
}
