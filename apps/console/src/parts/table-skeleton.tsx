import { t } from '@lingui/core/macro';
import { Skeleton, Stack } from '@mantine/core';

/** Placeholder of a table. */
export function TableSkeleton({ rows = 12 }: { rows?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label={t`Loading`} py="xs">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={28} />
      ))}
    </Stack>
  );
}
