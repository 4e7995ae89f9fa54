import { Text } from '@mantine/core';
import type { Failure } from '../api/client.ts';

/** Whether the service refused only the order of a list: as of an instant it sorts lists of some length alone. */
export const isRefusedSort = (error: Failure | null): boolean =>
  error !== null &&
  !(error instanceof Error) &&
  error.statusCode === 400 &&
  /^sort: with asOf/.test(error.message);

/** @param remedy what makes the list short enough */
export const UnsortedNote = ({ remedy }: { remedy?: string }) => (
  <Text size="sm" c="dimmed" role="status">
    There are too many to sort them as of an instant. {remedy}
  </Text>
);
