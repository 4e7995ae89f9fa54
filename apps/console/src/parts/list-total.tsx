import { Text } from '@mantine/core';

/** How many match, when that is known: the list itself never waits for it. */
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
        {isCounting ? 'Counting …' : ''}
      </Text>
    );
  }
  return (
    <Text size="sm" role="status">
      <b>{total.toLocaleString()}</b> {total === 1 ? things.one : things.many}
    </Text>
  );
}
