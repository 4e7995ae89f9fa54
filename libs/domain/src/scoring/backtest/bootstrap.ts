import { SplitMix64 } from '../posture2/loss/random.ts';
import type { Case } from './outcomes.ts';

const SAMPLES_MAX = 2_000;
const SAMPLES_MIN = 200;
/** A large organization has narrow intervals anyway, and a draw takes half a microsecond. */
const DRAWS_MAX = 10_000_000;

/** How many samples are drawn of so many units. */
export const samplesOf = (units: number): number =>
  Math.max(SAMPLES_MIN, Math.min(SAMPLES_MAX, Math.floor(DRAWS_MAX / Math.max(units, 1))));

/**
 * Draws units anew, with all of their cases: yields for each sample how often the case at the same place counts. The
 * array is reused. The same seed draws the same units, in any order of cases.
 */
export function* resamples(cases: readonly Case[], seed: bigint, samples: number): Generator<Float64Array> {
  const names = [...new Set(cases.map(({ unit }) => unit))].sort();
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const unitOf = Uint32Array.from(cases, ({ unit }) => placeOf.get(unit)!);
  const drawn = new Float64Array(names.length);
  const weights = new Float64Array(cases.length);
  const random = new SplitMix64(seed);
  for (let sample = 0; sample < samples; sample++) {
    drawn.fill(0);
    for (let draw = 0; draw < names.length; draw++) drawn[Math.floor(random.uniform() * names.length)]!++;
    for (let i = 0; i < weights.length; i++) weights[i] = drawn[unitOf[i]!]! * cases[i]!.count;
    yield weights;
  }
}

/** Interval of 95 %. */
export interface Bounds {
  low: number;
  high: number;
}

/** Of a figure of all samples; null if half of them have none. */
export function boundsOf(figures: readonly number[], samples: number): Bounds | null {
  if (figures.length < samples / 2 || figures.length === 0) return null;
  const sorted = Float64Array.from(figures).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { low: at(0.025), high: at(0.975) };
}
