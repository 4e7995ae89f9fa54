import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Pages } from './use-pages.ts';

/**
 * @param total how many there are on all pages, where that is known
 * @param children how many a page shows, to be chosen
 */
export function Pager({
  pages,
  shown,
  total,
  children,
}: {
  pages: Pages;
  shown: number;
  total?: number | undefined;
  children?: ReactNode;
}) {
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {shown.toLocaleString()} on {pages.number === null ? 'this page' : `page ${pages.number}`}
        {total === undefined ? '' : ` of ${total.toLocaleString()} in all`}
      </Text>
      <Group gap="md">
        {children}
        <Group gap={4}>
          {(
            [
              ['First page', IconChevronsLeft, pages.first],
              ['Previous page', IconChevronLeft, pages.previous],
              ['Next page', IconChevronRight, pages.next],
            ] as const
          ).map(([label, Icon, go]) => (
            // Not `disabled`: while the next page is awaited, the focus is to stay where it is.
            <ActionIcon
              key={label}
              variant="default"
              size="lg"
              aria-label={label}
              aria-disabled={!go}
              data-disabled={!go || undefined}
              onClick={go}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
        </Group>
      </Group>
    </Group>
  );
}
