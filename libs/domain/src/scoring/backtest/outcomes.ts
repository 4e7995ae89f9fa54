import type { Forecasts } from './forecasts.ts';

/** What one forecast said of an asset or a CVE, and what came within its window. */
export interface Outcome {
  /** Likelihood that was forecast, 0 to 1. */
  likelihood: number;
  /** It happened. */
  isEvent: boolean;
  /** How many equal ones there are. Default: 1. */
  count?: number;
}

/** The same of all forecasters. */
export interface Case {
  /** Resampled together: the asset, or the CVE. */
  unit: string;
  forecasts: Forecasts;
  isEvent: boolean;
  /** How many equal ones there are, such as assets with the CVE. */
  count: number;
  /** Share of events among the outcomes of the windows before; null if there are none. */
  earlierRate: number | null;
}

/** With fewer independent events, a ranking is not reported: chance decides it. */
export const EVENTS_MIN = 10;

export const countOutcomes = (outcomes: readonly Pick<Outcome, 'count'>[]): number =>
  outcomes.reduce((sum, { count = 1 }) => sum + count, 0);

export const countEvents = (outcomes: readonly Pick<Outcome, 'isEvent' | 'count'>[]): number =>
  countOutcomes(outcomes.filter(({ isEvent }) => isEvent));
