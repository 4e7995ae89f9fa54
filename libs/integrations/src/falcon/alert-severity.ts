import type { RawSeverity } from '#libs/domain';
import { type Json, textOf } from '../json-values.ts';

/** The least severity of each level. */
const LEVELS: [from: number, level: string][] = [
  [80, 'critical'],
  [60, 'high'],
  [40, 'medium'],
  [20, 'low'],
  [0, 'info'],
];

const NAMES = new Map([
  ['informational', 'info'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['critical', 'critical'],
]);

/** 1 to 100 as 0 to 10 with its level; by the level's name if there is no number; `info` if neither is. */
export function alertSeverity({ severity, severity_name: name }: Json): RawSeverity {
  if (typeof severity === 'number' && severity >= 0 && severity <= 100) {
    const [, level] = LEVELS.find(([from]) => severity >= from)!;
    return { type: 'edr', value: severity / 10, level };
  }
  return { type: 'edr', level: NAMES.get(textOf(name).toLowerCase()) ?? 'info' };
}
