import { type Lognormal, type LossRange, lognormalOf } from './loss-range.ts';
import { inverseNormal } from './normal.ts';
import { SplitMix64 } from './random.ts';
import { RunningSums } from './running-sums.ts';

/** An asset that can be lost. */
export interface LossAsset {
  id: string;
  /** Of compromise within a year. */
  hazard: number;
  /** Null if no range is set for it. */
  range: LossRange | null;
}

export const YEARS = 10_000;
export const YEARS_MIN = 100;
/** Compromised assets that a simulation draws, on average: bounds its time. */
const ASSETS_DRAWN_MAX = 5_000_000;

/**
 * The loss of each simulated year. A pure function of its arguments; assets in any order. Each year has its own
 * generator, so that a year with and without a fix uses the same draws.
 */
export function simulateYears(
  assets: readonly LossAsset[],
  seed: bigint,
  years: number = yearsOf(assets),
): number[] {
  const simulation = new LossSimulation(assets, seed);
  return Array.from({ length: years }, () => simulation.nextYear());
}

/** How many years are simulated: fewer where a year compromises very many assets. Independent of the machine. */
export function yearsOf(assets: readonly Pick<LossAsset, 'hazard'>[]): number {
  let [sum, squares] = [0, 0];
  for (const { hazard } of assets) {
    sum += hazard;
    squares += hazard * hazard;
  }
  const events = Math.min(Math.sqrt(squares), POISSON_MEAN_MAX);
  const drawn = squares === 0 ? 0 : (events * sum) / Math.sqrt(squares);
  return Math.max(YEARS_MIN, Math.min(YEARS, Math.floor(ASSETS_DRAWN_MAX / drawn)));
}

/** Years one by one, for callers that share the processor. */
export class LossSimulation {
  private readonly seeds: SplitMix64;
  /** Mean of the logarithm of each asset's loss, not a number without a range, and its deviation. */
  private readonly means: Float64Array;
  private readonly deviations: Float64Array;
  /** Chances of the first asset of an event, and of each further one; null if nothing can be lost. */
  private readonly chances: { first: RunningSums; next: RunningSums } | null;
  /** Norm of order 2 of the hazards: the mean number of events. */
  private readonly hazard: number;
  /** Of the geometric number of further assets of an event: m ÷ (1 + m). */
  private readonly further: number;
  /** The number of the last event that compromised an asset. */
  private readonly reachedBy: Int32Array;
  private event = 0;

  constructor(assets: readonly LossAsset[], seed: bigint) {
    this.seeds = new SplitMix64(seed);
    const sorted = assets.filter(({ hazard }) => hazard > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
    this.means = new Float64Array(sorted.length).fill(Number.NaN);
    this.deviations = new Float64Array(sorted.length);
    // Many assets have the same range.
    const known = new Map<LossRange, Lognormal>();
    sorted.forEach(({ range }, place) => {
      if (!range) return;
      const distribution = known.get(range) ?? lognormalOf(range);
      known.set(range, distribution);
      this.means[place] = distribution.mean;
      this.deviations[place] = distribution.deviation;
    });
    this.reachedBy = new Int32Array(sorted.length);
    this.chances =
      sorted.length === 0
        ? null
        : {
            first: new RunningSums(sorted.map(({ hazard }) => hazard * hazard)),
            next: new RunningSums(sorted.map(({ hazard }) => hazard)),
          };
    this.hazard = Math.sqrt(this.chances?.first.whole ?? 0);
    const mean = this.chances ? Math.max(0, this.chances.next.whole / this.hazard - 1) : 0;
    this.further = mean / (1 + mean);
  }

  nextYear(): number {
    const random = new SplitMix64(this.seeds.next());
    if (!this.chances) return 0;
    let loss = 0;
    for (let events = poisson(this.hazard, random.uniform()); events > 0; events--) {
      loss += this.eventLoss(this.chances, random);
    }
    return loss;
  }

  private eventLoss({ first, next }: { first: RunningSums; next: RunningSums }, random: SplitMix64): number {
    this.event++;
    const reached: number[] = [];
    const reach = (asset: number) => {
      if (this.reachedBy[asset] === this.event) return;
      this.reachedBy[asset] = this.event;
      reached.push(asset);
    };
    reach(first.draw(random.uniform()));
    for (let more = geometric(this.further, random.uniform()); more > 0; more--) {
      reach(next.draw(random.uniform()));
    }
    let loss = 0;
    for (const asset of reached) {
      const normal = inverseNormal(random.uniform());
      const mean = this.means[asset]!;
      if (!Number.isNaN(mean)) loss += Math.exp(mean + this.deviations[asset]! * normal);
    }
    return loss;
  }
}

/** exp(−mean) is above 0 up to here. */
const POISSON_MEAN_MAX = 700;

/** By sequential inversion. */
export function poisson(mean: number, uniform: number): number {
  const bounded = Math.min(mean, POISSON_MEAN_MAX);
  let chance = Math.exp(-bounded);
  let sum = chance;
  let events = 0;
  // Rounding can leave the sum of all chances below a uniform number that is near 1.
  while (uniform > sum && chance > 0) {
    events++;
    chance *= bounded / events;
    sum += chance;
  }
  return events;
}

const geometric = (ratio: number, uniform: number): number =>
  ratio === 0 ? 0 : Math.floor(Math.log(uniform) / Math.log(ratio));
