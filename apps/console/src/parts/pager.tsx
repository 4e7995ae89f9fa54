import { t } from '@lingui/core/macro';
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { number } from '../language/format.ts';
import type { Pages } from './use-pages.ts';

/**
 * @param total number of items on all pages, if known
 * @param children control for the page size
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
        {positionText(shown, pages.number, total)}
      </Text>
      <Group gap="md">
        {children}
        <Group gap={4}>
          {(
            [
              [t`First page`, IconChevronsLeft, pages.first],
              [t`Previous page`, IconChevronLeft, pages.previous],
              [t`Next page`, IconChevronRight, pages.next],
            ] as const
          ).map(([label, Icon, go]) => (
            // Not `disabled`, so that the button keeps the focus while the next page loads.
            <ActionIcon
              key={label}
              variant="default"
              size="lg"
              aria-label={label}
              aria-disabled={!go}
              data-disabled={!go || undefined}
              onClick={go}
            >
              <Icon size={16} aria-hidden className="mirrored" />
            </ActionIcon>
          ))}
        </Group>
      </Group>
    </Group>
  );
}

function positionText(onPage: number, position: number | null, total: number | undefined): string {
  const shown = number(onPage);
  if (position === null) {
    if (total === undefined) return t`${shown} on this page`;
    const all = number(total);
    return t`${shown} on this page of ${all} in total`;
  }
  const page = number(position);
  if (total === undefined) return t`${shown} on page ${page}`;
  const all = number(total);
  return t`${shown} on page ${page} of ${all} in total`;
}
