import { VisuallyHidden } from '@mantine/core';
import { AppLink } from '../app/links.tsx';
import classes from './bars.module.css';

export interface Bar {
  id: string;
  /** Name of the bar; `hint` is dimmed text after it. */
  label: string;
  hint?: string;
  /** Share of the full width, 0 to 1. */
  share: number;
  /** The value after the bar. */
  figure: string;
  /** Sets the colour of the bar. */
  level?: string;
  to: string;
  /** The value with its unit, for screen readers. */
  spoken: string;
}

/** A bar chart as a list of links. */
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
