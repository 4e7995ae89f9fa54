import { type LossRange, lognormalOf } from './loss-range.ts';

/** Sums over assets that the estimate follows from; they can be reduced by a part. */
export interface LossSums {
  /** Σ h and Σ h², of the hazards of a year. */
  hazards: number;
  squares: number;
  /** The same, each multiplied by the mean loss of the asset. */
  hazardLosses: number;
  squareLosses: number;
}

export const NO_LOSS_SUMS: Readonly<LossSums> = { hazards: 0, squares: 0, hazardLosses: 0, squareLosses: 0 };

/** Of one asset. */
export function lossSumsOf({ hazard, range }: { hazard: number; range: LossRange | null }): LossSums {
  const loss = range ? meanLoss(range) : 0;
  const square = hazard * hazard;
  return { hazards: hazard, squares: square, hazardLosses: hazard * loss, squareLosses: square * loss };
}

function meanLoss(range: LossRange): number {
  const { mean, deviation } = lognormalOf(range);
  return Math.exp(mean + deviation ** 2 / 2);
}

export const addLossSums = (a: LossSums, b: LossSums): LossSums => ({
  hazards: a.hazards + b.hazards,
  squares: a.squares + b.squares,
  hazardLosses: a.hazardLosses + b.hazardLosses,
  squareLosses: a.squareLosses + b.squareLosses,
});

/** Not below 0: the rest of a difference of nearly equal sums is rounding. */
export const subtractLossSums = (from: LossSums, part: LossSums): LossSums => ({
  hazards: Math.max(0, from.hazards - part.hazards),
  squares: Math.max(0, from.squares - part.squares),
  hazardLosses: Math.max(0, from.hazardLosses - part.hazardLosses),
  squareLosses: Math.max(0, from.squareLosses - part.squareLosses),
});

/**
 * Annual loss expectancy in closed form, as if an event could compromise an asset several times: at least that of the
 * simulated years, and near it unless few assets have most of the hazard.
 */
export function estimatedLoss({ hazards, squares, hazardLosses, squareLosses }: LossSums): number {
  if (squares === 0) return 0;
  const events = Math.sqrt(squares);
  const further = Math.max(0, hazards / events - 1);
  return squareLosses / events + (events * further * hazardLosses) / hazards;
}
