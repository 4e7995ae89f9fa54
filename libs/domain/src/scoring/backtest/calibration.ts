import { countEvents, countOutcomes, type Outcome } from './outcomes.ts';

const meanOf = (outcomes: readonly Outcome[], figureOf: (outcome: Outcome) => number): number =>
  outcomes.reduce((sum, outcome) => sum + figureOf(outcome) * (outcome.count ?? 1), 0) /
  countOutcomes(outcomes);

/** Mean squared difference between likelihood and outcome; 0 is best. @param outcomes at least one */
export const brierScore = (outcomes: readonly Outcome[]): number =>
  meanOf(outcomes, ({ likelihood, isEvent }) => (likelihood - (isEvent ? 1 : 0)) ** 2);

/**
 * Part of the Brier score of a constant rate that the forecast saves: 1 is best, below 0 is worse than the constant. Null
 * if the constant has no error.
 *
 * @param outcomes at least one, each with the rate of earlier windows: that of its own is not known beforehand
 */
export function brierSkill(outcomes: readonly (Outcome & { earlierRate: number })[]): number | null {
  const constant = brierScore(outcomes.map((one) => ({ ...one, likelihood: one.earlierRate })));
  return constant === 0 ? null : 1 - brierScore(outcomes) / constant;
}

/** Certainties that fail would cost infinitely much. */
const LIKELIHOOD_MIN = 1e-12;

export const logLoss = (outcomes: readonly Outcome[]): number =>
  meanOf(outcomes, ({ likelihood, isEvent }) => {
    const said = isEvent ? likelihood : 1 - likelihood;
    return -Math.log(Math.min(Math.max(said, LIKELIHOOD_MIN), 1));
  });

/** Likelihoods from one edge to the next, the last one included. */
const RELIABILITY_EDGES: readonly number[] = [0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.6, 1];

/** Of outcomes with a likelihood in the bin: what was said, and what came. */
export interface ReliabilityBin {
  from: number;
  to: number;
  outcomes: number;
  events: number;
  meanLikelihood: number;
  rate: number;
  /** Interval of 95 % of the rate (Wilson). */
  low: number;
  high: number;
}

/** Bins without an outcome are left out. */
export function reliability(outcomes: readonly Outcome[]): ReliabilityBin[] {
  return RELIABILITY_EDGES.slice(0, -1).flatMap((from, i): ReliabilityBin[] => {
    const to = RELIABILITY_EDGES[i + 1]!;
    const isLast = i === RELIABILITY_EDGES.length - 2;
    const inside = outcomes.filter(
      ({ likelihood }) => likelihood >= from && (likelihood < to || (isLast && likelihood <= to)),
    );
    if (inside.length === 0) return [];
    const [count, events] = [countOutcomes(inside), countEvents(inside)];
    return [
      {
        from,
        to,
        outcomes: count,
        events,
        meanLikelihood: meanOf(inside, ({ likelihood }) => likelihood),
        rate: events / count,
        ...wilsonInterval(events, count),
      },
    ];
  });
}

/** 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054;

/** Interval of 95 % of a rate; it is useful also if there are no events. */
export function wilsonInterval(events: number, outcomes: number): { low: number; high: number } {
  const rate = events / outcomes;
  const weight = Z ** 2 / outcomes;
  const centre = rate + weight / 2;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / outcomes + weight / (4 * outcomes));
  // At the ends the bounds are exact, and rounding would miss them.
  return {
    low: events === 0 ? 0 : (centre - spread) / (1 + weight),
    high: events === outcomes ? 1 : (centre + spread) / (1 + weight),
  };
}
