import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import classes from './counts.module.css';
import { ignoredCount } from './words.ts';

/** Outcome counts of an upload or a preview. */
export function Counts({ outcome }: { outcome: Api['UploadOutcomeDto'] }) {
  const counts = [
    [t`Findings created`, outcome.created],
    [t`Findings changed`, outcome.updated],
    [t`Findings unchanged`, outcome.unchanged],
    [t`Findings retired`, outcome.retired],
    [t`Assets created`, outcome.assetsCreated],
    [t`Assets changed`, outcome.assetsUpdated],
    [t`Signals ignored`, ignoredCount(outcome)],
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
