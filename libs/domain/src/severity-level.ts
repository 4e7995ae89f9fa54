import type { Level } from './events.ts';

/** The least value of a severity of each level, the highest level first (CVSS v3.1, section 5). */
export const SEVERITY_LEVELS: readonly [level: Level, from: number][] = [
  ['critical', 9],
  ['high', 7],
  ['medium', 4],
  ['low', 0.1],
  ['info', 0],
];

/** Level of a severity's value, which is compared as its column stores it. */
export function severityLevelOf(value: number): Level {
  const stored = Math.fround(value);
  return SEVERITY_LEVELS.find(([, from]) => stored >= from)?.[0] ?? 'info';
}
