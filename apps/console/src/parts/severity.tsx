import { t } from '@lingui/core/macro';
import { fixed } from '../language/format.ts';
import classes from './badges.module.css';

export type Level = 'critical' | 'high' | 'medium' | 'low' | 'info';

export const LEVELS: readonly Level[] = ['critical', 'high', 'medium', 'low', 'info'];

export const levelNames = (): Record<Level, string> => ({
  critical: t({ message: 'Critical', context: 'severity' }),
  high: t({ message: 'High', context: 'severity' }),
  medium: t({ message: 'Medium', context: 'severity' }),
  low: t({ message: 'Low', context: 'severity' }),
  info: t({ message: 'Info', context: 'severity' }),
});

/** A level within a badge. A word that is not a level is returned as it is. */
export function levelWord(level: string): string {
  const words: Record<string, string> = {
    critical: t({ message: 'critical', context: 'severity or criticality' }),
    high: t({ message: 'high', context: 'severity or criticality' }),
    medium: t({ message: 'medium', context: 'severity or criticality' }),
    low: t({ message: 'low', context: 'severity or criticality' }),
    info: t({ message: 'info', context: 'severity or criticality' }),
  };
  return words[level] ?? level;
}

/**
 * Minimum value of each level (CVSS v3.1, section 5). `severityMin` and the counts use this scale, independent of the
 * level from the source.
 */
export const LEVEL_FROM: Record<Level, number> = { critical: 9, high: 7, medium: 4, low: 0.1, info: 0 };

const levelOf = (value: number): Level => LEVELS.find((level) => value >= LEVEL_FROM[level]) ?? 'info';

export function Severity({ value }: { value: number }) {
  const level = levelOf(value);
  return (
    <span className={classes.badge} data-level={level}>
      <b>{fixed(value)}</b> {levelWord(level)}
    </span>
  );
}
