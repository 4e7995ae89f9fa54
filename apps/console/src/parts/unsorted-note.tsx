import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Failure } from '../api/client.ts';

/** Whether the service rejected only the sort order. For past times it cannot sort long lists. */
export const isRejectedSort = (error: Failure | null): boolean =>
  error !== null &&
  !(error instanceof Error) &&
  error.statusCode === 400 &&
  /^sort: with asOf/.test(error.message);

/** @param remedy how to shorten the list */
export const UnsortedNote = ({ remedy }: { remedy?: string }) => (
  <Text size="sm" c="dimmed" role="status">
    <Trans>The list is too long to sort for a past time.</Trans> {remedy}
  </Text>
);
