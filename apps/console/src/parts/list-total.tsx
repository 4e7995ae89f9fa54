import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Number of matching items. The list does not wait for it. @param children the number in words */
export function ListTotal({
  total,
  isCounting,
  children,
}: {
  total: number | undefined;
  isCounting: boolean;
  children: (total: number) => ReactNode;
}) {
  if (total === undefined) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {isCounting ? t`Counting …` : ''}
      </Text>
    );
  }
  return (
    <Text size="sm" role="status">
      {children(total)}
    </Text>
  );
}
