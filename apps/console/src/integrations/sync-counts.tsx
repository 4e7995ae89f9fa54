import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import classes from './sync-counts.module.css';
import { countsOf, durationOf, type Sync } from './sync-words.ts';

/** Counts of a sync. */
export function CountTiles({ sync }: { sync: Sync }) {
  const { records, signals, ignored, failed } = countsOf(sync);
  const { outcome } = sync;
  const folded = (figure: number | undefined) => figure?.toLocaleString() ?? '–';
  const tiles: [label: string, value: string][] = [
    [t`Records pulled`, records.toLocaleString()],
    [t`Signals applied`, signals.toLocaleString()],
    [t`Findings created`, folded(outcome?.created)],
    [t`Findings updated`, folded(outcome?.updated)],
    [t`Findings unchanged`, folded(outcome?.unchanged)],
    [t`Assets created`, folded(outcome?.assetsCreated)],
    [t`Assets updated`, folded(outcome?.assetsUpdated)],
    [t`Skipped`, ignored.reduce((sum, [, count]) => sum + count, 0).toLocaleString()],
    [t`Failed`, failed.toLocaleString()],
    [t`Duration`, durationOf(sync)],
  ];
  return (
    <dl className={classes.tiles}>
      {tiles.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Errors, skipped records and notices of a sync. */
export function SyncDetails({ sync }: { sync: Sync }) {
  const { ignored, notices, failed } = countsOf(sync);
  const more = failed - sync.errors.length;
  return (
    <div className={classes.details}>
      {sync.errors.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            <Trans>Errors</Trans>
          </Text>
          <ul>
            {sync.errors.map(({ what, message }) => (
              <li key={`${what} ${message}`}>
                <b>{what}</b>: {message}
              </li>
            ))}
            {more > 0 && <li>and {more.toLocaleString()} more</li>}
          </ul>
        </div>
      )}
      {ignored.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            <Trans>Skipped</Trans>
          </Text>
          <ul>
            {ignored.map(([why, count]) => (
              <li key={why}>
                {count.toLocaleString()} {count === 1 ? 'record' : 'records'} {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      {notices.map((notice) => (
        <Text size="sm" key={notice}>
          {notice}
        </Text>
      ))}
    </div>
  );
}

export const hasDetails = (sync: Sync): boolean => {
  const { ignored, notices } = countsOf(sync);
  return sync.errors.length + ignored.length + notices.length > 0;
};
