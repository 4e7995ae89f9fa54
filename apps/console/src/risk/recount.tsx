import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';

/** Interval between requests for expensive data while it is outdated and displayed. */
export const RECOUNT_MS = 30_000;

/** The current score; undefined if it cannot be read, so that nothing is known to be outdated. */
export type Current = number | null | undefined;

/** Whether the score has changed since the response. */
export const isOutdated = (then: Current, now: Current): boolean =>
  then !== undefined && now !== undefined && then !== now;

/** Reports that a response is outdated, with a button to request it again. */
export function Recount({ onNow, isBusy }: { onNow: () => void; isBusy: boolean }) {
  const act = isBusy ? t`Recalculating …` : t`Recalculate`;
  return (
    <Text size="xs" c="dimmed" mb={4}>
      <Trans>
        The score has changed since this calculation.{' '}
        <Anchor component="button" size="xs" onClick={onNow} disabled={isBusy}>
          {act}
        </Anchor>
      </Trans>
    </Text>
  );
}
