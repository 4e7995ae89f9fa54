import type { Api } from '../api/client.ts';
import { percentRange, probabilityText } from '../parts/score.tsx';
import classes from './groups.module.css';

/** A likelihood with its interval, which posture-1 does not have. */
export function LikelihoodCell({
  best,
  interval,
}: {
  best: number | null;
  interval: Api['IntervalDto'] | null | undefined;
}) {
  return (
    <>
      {probabilityText(best)}
      {interval && <span className={classes.interval}> {percentRange(interval)}</span>}
    </>
  );
}
