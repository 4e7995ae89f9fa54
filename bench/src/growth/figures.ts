import type { Extremes } from './extremes.ts';
import type { SizeFigures } from './measure-size.ts';

export interface GrowthFigures {
  /** Of each size, the smallest first, with 20 to 60 findings an asset. */
  sizes: SizeFigures[];
  /** Of the size in the middle, the most findings an asset first. */
  spreads: SizeFigures[];
  extremes: Extremes;
}
