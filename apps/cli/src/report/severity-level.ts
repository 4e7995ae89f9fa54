import type { Level } from '#libs/domain';

/** Lower ends of the CVSS qualitative severity ratings (CVSS v3.1 specification, section 5). */
const RATINGS: readonly [from: number, level: Level][] = [
  [9, 'critical'],
  [7, 'high'],
  [4, 'medium'],
  [0.1, 'low'],
];

/** The levels, worst first. */
export const LEVELS: readonly Level[] = ['critical', 'high', 'medium', 'low', 'info'];

/**
 * The level of a severity: the one that its source gave, or else the CVSS rating of its number, 0 to 10; 0 is `info`.
 */
export const severityLevel = ({ value, level }: { value: number; level: Level | null }): Level =>
  level ?? RATINGS.find(([from]) => value >= from)?.[1] ?? 'info';
