import classes from './badges.module.css';
import { levelWord } from './severity.tsx';

/** Criticality of an asset, as reported by its source. */
export function Criticality({ of: level }: { of: string | null }) {
  if (level === null) return <span>–</span>;
  return (
    <span className={classes.badge} data-level={level}>
      {levelWord(level)}
    </span>
  );
}
