import { type Bounds, boundsOf, resamples, samplesOf } from './bootstrap.ts';
import { brierScore, brierSkill, logLoss, type ReliabilityBin, reliability } from './calibration.ts';
import { type Forecaster, statesLikelihood } from './forecasts.ts';
import { type Case, countEvents, countOutcomes, type Outcome } from './outcomes.ts';
import { isRankable, Ranking } from './ranking.ts';

/** With its interval of 95 %; null if too few samples have the figure. */
export interface Figure {
  value: number;
  interval: Bounds | null;
}

interface Calibration {
  brierScore: Figure;
  /** Against the rate of earlier windows; null if there is no earlier one. */
  brierSkill: number | null;
  logLoss: number;
  reliability: ReliabilityBin[];
}

export interface Ordering {
  areaUnderCurve: Figure;
  /** Of the area under the curve to that of the first forecaster, on the same samples. Null for that one itself. */
  difference: Figure | null;
  topDecileLift: Figure;
}

export interface ForecasterFigures {
  forecaster: Forecaster;
  /** Null if it states no likelihood. */
  calibration: Calibration | null;
  /** Null with fewer than `EVENTS_MIN` independent events, or with events only. */
  ordering: Ordering | null;
}

export interface Evaluation {
  units: number;
  outcomes: number;
  events: number;
  /** Events that did not come together, such as CVEs that are on many assets. */
  independentEvents: number;
  samples: number;
  forecasters: ForecasterFigures[];
}

export interface EvaluateOptions {
  /** The others are compared with the first one. */
  forecasters: readonly Forecaster[];
  independentEvents: number;
  seed: bigint;
  /** Default: by the number of units, 200 to 2,000. */
  samples?: number;
}

/**
 * Compares forecasts with what came. Yields after each sample how many are left, so that a caller can do other work.
 *
 * @param cases at least one
 */
export function* evaluate(
  cases: readonly Case[],
  { forecasters, independentEvents, seed, samples: given }: EvaluateOptions,
): Generator<number, Evaluation> {
  const units = new Set(cases.map(({ unit }) => unit)).size;
  const samples = given ?? samplesOf(units);
  const [outcomes, events] = [countOutcomes(cases), countEvents(cases)];
  const isRanked = isRankable(independentEvents, outcomes - events);
  const tallies = forecasters.map((forecaster) => new Tally(forecaster, cases, isRanked));
  let left = samples;
  for (const weights of resamples(cases, seed, samples)) {
    for (const tally of tallies) tally.add(weights, tallies[0]!);
    yield --left;
  }
  const results = tallies.map((tally) => tally.figures(tallies[0]!, samples));
  return { units, outcomes, events, independentEvents, samples, forecasters: results };
}

/** The figures of one forecaster, of the cases as they are and of each sample. */
class Tally {
  private readonly outcomes: Outcome[] | null;
  private readonly squares: Float64Array | null;
  private readonly ranking: Ranking | null;
  private readonly counts: Float64Array;
  private readonly brier: number[] = [];
  private readonly area: number[] = [];
  private readonly lift: number[] = [];
  private readonly differences: number[] = [];
  private lastArea = 0;

  constructor(
    private readonly forecaster: Forecaster,
    private readonly cases: readonly Case[],
    isRanked: boolean,
  ) {
    this.counts = Float64Array.from(cases, ({ count }) => count);
    this.outcomes = statesLikelihood(forecaster)
      ? cases.map(({ forecasts, isEvent, count }) => ({ likelihood: forecasts[forecaster], isEvent, count }))
      : null;
    this.squares = this.outcomes && Float64Array.from(this.outcomes, squareOf);
    this.ranking = isRanked
      ? new Ranking(
          Float64Array.from(cases, ({ forecasts }) => forecasts[forecaster]),
          cases.map(({ isEvent }) => isEvent),
        )
      : null;
  }

  /** @param first the one that the others are compared with; it has the same sample already */
  add(weights: Float64Array, first: Tally): void {
    if (this.squares) this.brier.push(weightedMean(this.squares, weights));
    const figures = this.ranking?.figures(weights);
    // Whether there are events in a sample is the same for all forecasters.
    if (!figures) return;
    this.lastArea = figures.areaUnderCurve;
    this.area.push(figures.areaUnderCurve);
    this.lift.push(figures.topDecileLift);
    this.differences.push(figures.areaUnderCurve - first.lastArea);
  }

  figures(first: Tally, samples: number): ForecasterFigures {
    const { forecaster, outcomes } = this;
    const calibration = outcomes && {
      brierScore: { value: brierScore(outcomes), interval: boundsOf(this.brier, samples) },
      brierSkill: this.skill(),
      logLoss: logLoss(outcomes),
      reliability: reliability(outcomes),
    };
    return {
      forecaster,
      calibration,
      ordering: this.ranking && this.orderingOf(this.ranking, first, samples),
    };
  }

  private skill(): number | null {
    const judged = this.cases.flatMap(({ forecasts, earlierRate, isEvent, count }) =>
      earlierRate === null ? [] : [{ likelihood: forecasts[this.forecaster], earlierRate, isEvent, count }],
    );
    return judged.length === 0 ? null : brierSkill(judged);
  }

  private orderingOf(ranking: Ranking, first: Tally, samples: number): Ordering {
    const { areaUnderCurve, topDecileLift } = ranking.figures(this.counts)!;
    const firstArea = first.ranking!.figures(first.counts)!.areaUnderCurve;
    const figure = (value: number, sampled: number[]): Figure => ({
      value,
      interval: boundsOf(sampled, samples),
    });
    return {
      areaUnderCurve: figure(areaUnderCurve, this.area),
      difference: first === this ? null : figure(areaUnderCurve - firstArea, this.differences),
      topDecileLift: figure(topDecileLift, this.lift),
    };
  }
}

const squareOf = ({ likelihood, isEvent }: Outcome): number => (likelihood - (isEvent ? 1 : 0)) ** 2;

function weightedMean(values: Float64Array, weights: Float64Array): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! * weights[i]!;
    total += weights[i]!;
  }
  return sum / total;
}
