import classes from './badges.module.css';

export type Band = 'critical' | 'high' | 'medium' | 'low';

/** Band of a score from 0 to 100, in quarters. */
export function bandOf(score: number): Band {
  if (score >= 75) return 'critical';
  if (score >= 50) return 'high';
  return score >= 25 ? 'medium' : 'low';
}

/** A risk score from 0 to 100, higher is worse; a dash if not scored. */
export function Score({ value }: { value: number | null }) {
  if (value === null) return <span title="Not scored">–</span>;
  return (
    <span className={classes.score} data-level={bandOf(value)}>
      {value.toFixed(1)}
    </span>
  );
}

/** A probability from 0 to 1 in percent. Two digits if it is small: likelihoods of posture-2 can be. */
export function percent(probability: number | null): string {
  if (probability === null) return '–';
  const percents = probability * 100;
  if (percents === 0) return '0 %';
  if (percents < 0.01) return `${Number(percents.toPrecision(2))} %`;
  return `${percents.toFixed(probability < 0.01 ? 2 : 1)} %`;
}

/** The least and the greatest plausible probability, in percent. */
export const percentRange = ({ low, high }: { low: number; high: number }): string =>
  `${percent(low)} to ${percent(high)}`;
