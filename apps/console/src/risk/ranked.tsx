import type { ReactNode } from 'react';
import { directionOf } from './direction.ts';
import classes from './ranked.module.css';
import signs from './signed.module.css';
import { signed } from './signed.ts';

/** A ranked list of changes. @param isWide for figures that are longer than points of the score */
export function Ranked({
  label,
  isWide = false,
  children,
}: {
  label: string;
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <ol className={classes.list} aria-label={label} data-wide={isWide || undefined}>
      {children}
    </ol>
  );
}

/** @param figure text of the change; default: points of the score */
export function RankedItem({
  by,
  figure,
  about,
  children,
}: {
  by: number;
  figure?: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  const direction = directionOf(by);
  return (
    <li className={classes.item}>
      <span className={`${classes.share} ${signs.signed}`} data-direction={direction}>
        {figure ?? (direction === 'same' ? '< 0.01' : signed(by))}
      </span>
      <span className={classes.text}>
        {children}
        {about && <span className={classes.about}>{about}</span>}
      </span>
    </li>
  );
}
