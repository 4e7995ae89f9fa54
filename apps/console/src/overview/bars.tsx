import { VisuallyHidden } from '@mantine/core';
import { AppLink } from '../app/links.tsx';
import classes from './bars.module.css';

export interface Bar {
  id: string;
  /** What it stands for; dimmed text behind it in `hint`. */
  label: string;
  hint?: string;
  /** Of the whole width, 0 to 1. */
  share: number;
  /** The number behind the bar. */
  figure: string;
  /** Colours the bar. */
  level?: string;
  to: string;
  /** The number with what it counts, for readers of screens. */
  spoken: string;
}

/** Rows that lead on, each with a bar: compared at a glance, read as a list. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  return (
    <ul className={classes.bars}>
      {bars.map(({ id, label, hint, share, figure, level, to, spoken }) => (
        <li key={id}>
          <AppLink to={to} className={classes.row} underline="never">
            <span className={classes.label}>
              <span className={classes.name}>{label}</span>
              {hint && <span className={classes.hint}>{hint}</span>}
            </span>
            <span className={classes.figure}>
              <span aria-hidden>{figure}</span>
              <VisuallyHidden>{spoken}</VisuallyHidden>
            </span>
            <span className={classes.track} data-level={level}>
              <span style={{ width: `${Math.max(share * 100, share > 0 ? 0.75 : 0)}%` }} />
            </span>
          </AppLink>
        </li>
      ))}
    </ul>
  );
}
