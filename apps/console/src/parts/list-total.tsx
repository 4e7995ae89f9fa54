import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';

/** Number of matching items. The list does not wait for it. */
export function ListTotal({
  of: things,
  total,
  isCounting,
}: {
  of: { one: string; many: string };
  total: number | undefined;
  isCounting: boolean;
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
      <b>{total.toLocaleString()}</b> {total === 1 ? things.one : things.many}
    </Text>
  );
}
