import { t } from '@lingui/core/macro';
import { fixed, number } from '../language/format.ts';
import classes from './badges.module.css';
import { percentDigits } from './digits.ts';

export type Band = 'critical' | 'high' | 'medium' | 'low';

/** Band of a score from 0 to 100, in quarters. */
export function bandOf(score: number): Band {
  if (score >= 75) return 'critical';
  if (score >= 50) return 'high';
  return score >= 25 ? 'medium' : 'low';
}

/** A risk score from 0 to 100, higher is worse; a dash if not scored. */
export function Score({ value }: { value: number | null }) {
  if (value === null) return <span title={t`Not scored`}>–</span>;
  return (
    <span className={classes.score} data-level={bandOf(value)}>
      {fixed(value)}
    </span>
  );
}

/** A probability from 0 to 1 in percent. Two digits if it is small: likelihoods of posture-2 can be. */
export function probabilityText(probability: number | null): string {
  if (probability === null) return '–';
  const percents = probability * 100;
  const amount = number(percents, percentDigits(percents));
  return t({ message: `${amount} %`, comment: 'A probability in percent' });
}

/** The least and the greatest plausible probability, in percent. */
export function percentRange({ low, high }: { low: number; high: number }): string {
  const lowest = probabilityText(low);
  const highest = probabilityText(high);
  return t`${lowest} to ${highest}`;
}
