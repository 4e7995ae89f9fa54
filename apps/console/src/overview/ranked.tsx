import type { ReactNode } from 'react';
import classes from './ranked.module.css';
import signs from './signed.module.css';
import { directionOf, signed } from './signed.ts';

/** What moves the score, each by how many points, with what it is and a line about it. */
export function Ranked({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={classes.list} aria-label={label}>
      {children}
    </ol>
  );
}

export function RankedItem({ by, about, children }: { by: number; about?: ReactNode; children: ReactNode }) {
  const direction = directionOf(by);
  return (
    <li className={classes.item}>
      <span className={`${classes.share} ${signs.signed}`} data-direction={direction}>
        {direction === 'same' ? '< 0.01' : signed(by)}
      </span>
      <span className={classes.text}>
        {children}
        {about && <span className={classes.about}>{about}</span>}
      </span>
    </li>
  );
}
