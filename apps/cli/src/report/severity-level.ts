import { type Level, SEVERITY_LEVELS } from '#libs/domain';

/** The levels, worst first. */
export const LEVELS: readonly Level[] = SEVERITY_LEVELS.map(([level]) => level);

/**
 * The level of a severity: the one that its source gave, or else the CVSS rating of its number, 0 to 10; 0 is `info`.
 */
export const severityLevel = ({ value, level }: { value: number; level: Level | null }): Level =>
  level ?? SEVERITY_LEVELS.find(([, from]) => value >= from)?.[0] ?? 'info';
