import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { useSearch } from './use-search.ts';

/**
 * A list without rows: since a filter holds, since its page has emptied meanwhile, or since nothing is there yet.
 * @param things in the plural
 * @param children how the first ones come
 */
export function EmptyList({
  things,
  isFiltered,
  children,
}: {
  things: string;
  isFiltered: boolean;
  children: ReactNode;
}) {
  const search = useSearch();
  if (search.get('cursor') !== undefined) {
    return (
      <Empty title="This page is empty">
        <p>What was here has changed meanwhile.</p>
        <Button variant="default" size="xs" onClick={() => search.set({})}>
          To the first page
        </Button>
      </Empty>
    );
  }
  if (isFiltered) {
    return <Empty title={`No ${things} match`}>Take a filter away, or search for fewer words.</Empty>;
  }
  return <Empty title={`No ${things} yet`}>{children}</Empty>;
}
