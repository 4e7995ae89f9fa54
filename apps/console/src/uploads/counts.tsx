import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import classes from './counts.module.css';
import { ignoredCount } from './words.ts';

/** Outcome counts of an upload or a preview. */
export function Counts({ outcome }: { outcome: Api['UploadOutcomeDto'] }) {
  const counts = [
    [t`Findings created`, outcome.created],
    [t`Findings changed`, outcome.updated],
    [t`Findings unchanged`, outcome.unchanged],
    [t`Findings retired`, outcome.retired, true],
    [t`Assets created`, outcome.assetsCreated],
    [t`Assets changed`, outcome.assetsUpdated],
    [t`Signals ignored`, ignoredCount(outcome)],
  ] as [label: string, count: number, isLoss?: true][];
  return (
    <dl className={classes.counts}>
      {counts.map(([label, count, isLoss]) => (
        <div
          key={label}
          className={classes.count}
          data-zero={count === 0 || undefined}
          data-loss={(count > 0 && isLoss) || undefined}
        >
          <dt>{label}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
