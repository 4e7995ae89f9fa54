import type { SeverityLevel } from '../format.ts';
import { lookup } from './lookup.ts';

/** Words of all scanners for the five levels, in lower case. */
const LEVELS: Record<string, SeverityLevel> = {
  fatal: 'critical',
  critical: 'critical',
  urgent: 'critical',
  high: 'high',
  error: 'high',
  serious: 'high',
  important: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  low: 'low',
  minor: 'low',
  note: 'low',
  negligible: 'info',
  info: 'info',
  informational: 'info',
  information: 'info',
  none: 'info',
  log: 'info',
  debug: 'info',
};

/** The level of a scanner's word; null if it has none, such as `unknown`. */
export function severityLevel(word: string | null): SeverityLevel | null {
  return lookup(LEVELS, word?.trim().toLowerCase() ?? '') ?? null;
}
