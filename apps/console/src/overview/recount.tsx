import { Anchor, Text } from '@mantine/core';

/** Costly answers are asked again this long after the score has moved, while somebody looks. */
export const RECOUNT_MS = 30_000;

/** The answer is of a score that has moved on since. */
export const isOutdated = (then: number | null | undefined, now: number | null): boolean =>
  then !== undefined && then !== now;

/** Says that an answer lags behind the score, and how not to wait for the next. */
export function Recount({ onNow, isBusy }: { onNow: () => void; isBusy: boolean }) {
  return (
    <Text size="xs" c="dimmed" mb={4}>
      The score has moved since.{' '}
      <Anchor component="button" size="xs" onClick={onNow} disabled={isBusy}>
        {isBusy ? 'Being worked out again …' : 'Work it out again'}
      </Anchor>
    </Text>
  );
}
