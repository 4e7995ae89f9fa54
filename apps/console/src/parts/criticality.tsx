import classes from './badges.module.css';

/** How much an asset matters, as its source has said. */
export function Criticality({ of: level }: { of: string | null }) {
  if (level === null) return <span>–</span>;
  return (
    <span className={classes.badge} data-level={level}>
      {level}
    </span>
  );
}
