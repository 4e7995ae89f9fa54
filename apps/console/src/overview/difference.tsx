import { Text } from '@mantine/core';
import classes from './signed.module.css';
import { directionOf, signed } from './signed.ts';

/** How a figure differs from the day before: the sign says it in words, an arrow and a colour. */
export function Difference({ by, unit }: { by: number | null | undefined; unit: string }) {
  if (by === undefined) return <Text size="sm">&nbsp;</Text>;
  if (by === null)
    return (
      <Text size="sm" c="dimmed">
        no figure for the day before
      </Text>
    );
  const direction = directionOf(by);
  if (direction === 'same')
    return (
      <Text size="sm" c="dimmed">
        the same as the day before
      </Text>
    );
  return (
    <Text size="sm">
      <span className={classes.signed} data-direction={direction}>
        <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span> {signed(by)}
      </span>{' '}
      {unit} since the day before
    </Text>
  );
}
