import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { number } from '../language/format.ts';
import classes from './sync-counts.module.css';
import { countsOf, durationOf, ignoredText, type Sync } from './sync-words.ts';

/** Counts of a sync. */
export function CountTiles({ sync }: { sync: Sync }) {
  const { records, signals, ignored, failed } = countsOf(sync);
  const { outcome } = sync;
  const folded = (figure: number | undefined) => (figure === undefined ? '–' : number(figure));
  const tiles: [label: string, value: string][] = [
    [t`Records pulled`, number(records)],
    [t`Signals applied`, number(signals)],
    [t`Findings created`, folded(outcome?.created)],
    [t`Findings updated`, folded(outcome?.updated)],
    [t`Findings unchanged`, folded(outcome?.unchanged)],
    [t`Assets created`, folded(outcome?.assetsCreated)],
    [t`Assets updated`, folded(outcome?.assetsUpdated)],
    [
      t({ message: 'Skipped', context: 'number of records' }),
      number(ignored.reduce((sum, [, count]) => sum + count, 0)),
    ],
    [t({ message: 'Failed', context: 'number of records' }), number(failed)],
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
                <b dir="auto">{what}</b>: <bdi>{message}</bdi>
              </li>
            ))}
            {more > 0 && <li>{plural(more, { one: 'and # more', other: 'and # more' })}</li>}
          </ul>
        </div>
      )}
      {ignored.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            <Trans context="number of records">Skipped</Trans>
          </Text>
          <ul>
            {ignored.map(([reason, count]) => (
              <li key={reason}>{ignoredText(reason, count)}</li>
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
