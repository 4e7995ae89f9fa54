import classes from './badges.module.css';

export type Band = 'critical' | 'high' | 'medium' | 'low';

/** How bad a score of 0 to 100 is, in quarters. */
export function bandOf(score: number): Band {
  if (score >= 75) return 'critical';
  if (score >= 50) return 'high';
  return score >= 25 ? 'medium' : 'low';
}

/** A risk score, 0 to 100, more is worse; a dash where nothing is scored (D22). */
export function Score({ value }: { value: number | null }) {
  if (value === null) return <span title="Nothing is scored">–</span>;
  return (
    <span className={classes.score} data-level={bandOf(value)}>
      {value.toFixed(1)}
    </span>
  );
}

/** A probability of 0 to 1 in per cent. */
export const percent = (probability: number | null): string =>
  probability === null ? '–' : `${(probability * 100).toFixed(probability < 0.01 ? 2 : 1)} %`;
