import { HAZARD_UNITS } from '../../hazard.ts';
import { squareRoot } from '../integers.ts';
import { type Interval, mapInterval, zipIntervals } from '../interval.ts';
import { forecastSquares } from '../likelihood.ts';
import type { HazardSums } from '../risk-sums.ts';
import type { Targeting } from '../targeting.ts';

const YEAR_DAYS = 365n;
const HORIZON_DAYS = 30n;

/** Hazard of compromise within a year: the forecast for a year, evidence once. */
export const yearlyHazards = (sums: HazardSums, targeting: Targeting): Interval =>
  zipIntervals(
    mapInterval(
      forecastSquares(sums, targeting),
      (square) => (square * YEAR_DAYS ** 2n) / HORIZON_DAYS ** 2n,
    ),
    sums.evidence,
    (forecast, evidence) => Number(squareRoot(forecast + evidence)) / HAZARD_UNITS,
  );
