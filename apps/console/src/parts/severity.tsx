import classes from './badges.module.css';

export type Level = 'critical' | 'high' | 'medium' | 'low' | 'info';

export const LEVELS: readonly Level[] = ['critical', 'high', 'medium', 'low', 'info'];

export const LEVEL_NAMES: Record<Level, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};

/** CVSS v3.1, section 5. `severityMin` and the counts use this scale, independent of the level from the source. */
function levelOf(value: number): Level {
  if (value >= 9) return 'critical';
  if (value >= 7) return 'high';
  if (value >= 4) return 'medium';
  return value >= 0.1 ? 'low' : 'info';
}

/** Minimum value of each level. */
export const LEVEL_FROM: Record<Level, number> = { critical: 9, high: 7, medium: 4, low: 0.1, info: 0 };

export function Severity({ value }: { value: number }) {
  const level = levelOf(value);
  return (
    <span className={classes.badge} data-level={level}>
      <b>{value.toFixed(1)}</b> {level}
    </span>
  );
}
