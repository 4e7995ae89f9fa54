import type { Level } from '../events.ts';

/** What is at stake with an asset, as a part of the most that can be (D23: in (0, 1]). */
export const CRITICALITY_WEIGHTS: Readonly<Record<Level, number>> = {
  critical: 1,
  high: 0.9,
  medium: 0.7,
  low: 0.4,
  info: 0.2,
};

/** Weight of an asset's criticality; one that nobody rated weighs like medium. */
export const criticalityWeight = (criticality: Level | null): number =>
  CRITICALITY_WEIGHTS[criticality ?? 'medium'];
