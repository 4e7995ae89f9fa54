import type { Level } from '../events.ts';

/** How much an asset matters, from (0, 1] (R-SCORE-6). */
export const CRITICALITY_WEIGHTS: Readonly<Record<Level, number>> = {
  critical: 1,
  high: 0.9,
  medium: 0.7,
  low: 0.4,
  info: 0.2,
};

/** Weight of an asset's criticality; an unrated one weighs like medium. */
export const criticalityWeight = (criticality: Level | null): number =>
  CRITICALITY_WEIGHTS[criticality ?? 'medium'];
