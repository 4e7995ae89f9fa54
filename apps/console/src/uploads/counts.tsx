import type { Api } from '../api/client.ts';
import classes from './counts.module.css';
import { ignoredCount } from './words.ts';

/** Outcome counts of an upload or a preview. */
export function Counts({ outcome }: { outcome: Api['UploadOutcomeDto'] }) {
  const counts = [
    ['Findings created', outcome.created],
    ['Findings changed', outcome.updated],
    ['Findings unchanged', outcome.unchanged],
    ['Findings retired', outcome.retired],
    ['Assets created', outcome.assetsCreated],
    ['Assets changed', outcome.assetsUpdated],
    ['Signals ignored', ignoredCount(outcome)],
  ] as const;
  return (
    <dl className={classes.counts}>
      {counts.map(([label, count]) => (
        <div
          key={label}
          className={classes.count}
          data-zero={count === 0 || undefined}
          data-loss={(count > 0 && label === 'Findings retired') || undefined}
        >
          <dt>{label}</dt>
          <dd>{count.toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  );
}
