import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import type { Pages } from './use-pages.ts';

/** @param total how many there are on all pages, where that is known */
export function Pager({ pages, shown, total }: { pages: Pages; shown: number; total?: number | undefined }) {
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {shown.toLocaleString()} on page {pages.number}
        {total === undefined ? '' : ` of ${total.toLocaleString()} in all`}
      </Text>
      <Group gap={4}>
        {(
          [
            ['First page', IconChevronsLeft, pages.first],
            ['Previous page', IconChevronLeft, pages.previous],
            ['Next page', IconChevronRight, pages.next],
          ] as const
        ).map(([label, Icon, go]) => (
          <ActionIcon key={label} variant="default" aria-label={label} disabled={!go} onClick={go}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ))}
      </Group>
    </Group>
  );
}
