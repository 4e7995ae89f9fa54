/** Shares of organizations with a significant incident within a year: the setting. */
export interface IncidentRates {
  low: number;
  best: number;
  high: number;
}

/** docs/scoring.md states the sources. */
export const DEFAULT_INCIDENT_RATES: Readonly<IncidentRates> = { low: 0.0148, best: 0.093, high: 0.25 };

/** With a greater value, a weakness could outweigh an unreviewed detection of an impact technique. */
export const BEST_RATE_MAX = 0.9;

/** With smaller values, rounding would decide. */
export const RATE_MIN = 0.0001;

/** How much of the exploitation that is seen anywhere meets one exposed asset. */
export interface Targeting {
  /** Best value, in 10⁻⁹. */
  factor: number;
  /** Of the low and of the high value to the best one, in millionths. */
  lowRatio: bigint;
  highRatio: bigint;
}

const FACTOR_UNITS = 1e9;
const RATIO_UNITS = 1e6;
const HORIZON_IN_YEARS = 30 / 365;
/** Norm of the base hazards of the synthetic organizations that the factor is fitted to. Another value is another model. */
const REFERENCE_NORM = 20;

/** @param rates valid ones (`incidentRatesProblem`) */
export function targetingOf({ low, best, high }: IncidentRates): Targeting {
  const yearly = -Math.log1p(-best);
  const ratio = (rate: number) => BigInt(Math.round((-Math.log1p(-rate) / yearly) * RATIO_UNITS));
  return {
    factor: Math.round(((yearly * HORIZON_IN_YEARS) / REFERENCE_NORM) * FACTOR_UNITS),
    lowRatio: ratio(low),
    highRatio: ratio(high),
  };
}

export const DEFAULT_TARGETING: Readonly<Targeting> = targetingOf(DEFAULT_INCIDENT_RATES);

/** What is wrong with these rates, in words for the user; null if they are valid. */
export function incidentRatesProblem({ low, best, high }: IncidentRates): string | null {
  const isShare = (rate: number) => rate >= RATE_MIN && rate < 1;
  if (![low, best, high].every(isShare)) return `low, best and high must be at least ${RATE_MIN} and below 1`;
  if (low > best || best > high) return 'low must not be above best, and best must not be above high';
  if (best > BEST_RATE_MAX) return `best must be at most ${BEST_RATE_MAX}`;
  return null;
}
