import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { changeDigits } from '../parts/digits.ts';
import { directionOf, exactDirectionOf } from './direction.ts';
import classes from './signed.module.css';
import { signed } from './signed.ts';

/**
 * Difference from the previous day, with sign, arrow and colour.
 *
 * @param note why there is none, if `by` is null
 */
export function Difference({
  by,
  unit,
  note = t`no value for the previous day`,
}: {
  by: number | null | undefined;
  unit: 'points' | 'percentagePoints';
  note?: string | undefined;
}) {
  if (by === undefined) return <Text size="sm">&nbsp;</Text>;
  if (by === null)
    return (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    );
  const direction = unit === 'points' ? directionOf(by) : exactDirectionOf(by);
  if (direction === 'same')
    return (
      <Text size="sm" c="dimmed">
        <Trans>unchanged from the previous day</Trans>
      </Text>
    );
  const change = (
    <span className={classes.signed} data-direction={direction}>
      <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span>{' '}
      {unit === 'points' ? signed(by) : signed(by, changeDigits(by))}
    </span>
  );
  return (
    <Text size="sm">
      {unit === 'points' ? (
        <Trans>{change} points since the previous day</Trans>
      ) : (
        <Trans>{change} percentage points since the previous day</Trans>
      )}
    </Text>
  );
}
