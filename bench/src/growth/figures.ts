import type { Extremes } from './extremes.ts';
import type { SizeFigures } from './measure-size.ts';

export interface GrowthFigures {
  /** Figures of each size, the smallest first, with 20 to 60 findings per asset. */
  sizes: SizeFigures[];
  /** Figures of the middle size with other numbers of findings per asset, the largest number first. */
  spreads: SizeFigures[];
  extremes: Extremes;
}
