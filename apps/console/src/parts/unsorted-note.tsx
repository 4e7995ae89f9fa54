import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Unsorted } from './rejected-sort.ts';

/** @param remedy how to shorten the list */
export const UnsortedNote = ({ why, remedy }: { why: Unsorted | null; remedy?: string }) =>
  why && (
    <Text size="sm" c="dimmed" role="status">
      {why === 'limited' ? (
        <Trans>
          Your access is limited to departments or locations, so a list of a past time is not sorted.
        </Trans>
      ) : (
        <>
          <Trans>The list is too long to sort for a past time.</Trans> {remedy}
        </>
      )}
    </Text>
  );
