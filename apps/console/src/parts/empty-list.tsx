import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { useSearch } from './use-search.ts';

/**
 * An empty list: because of a filter, because the rows of this page are gone, or because no data exists.
 * @param things plural noun
 * @param children how to create data
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
        <p>The data on this page has changed.</p>
        <Button variant="default" size="xs" onClick={() => search.set({})}>
          Go to the first page
        </Button>
      </Empty>
    );
  }
  if (isFiltered) {
    return <Empty title={`No ${things} match`}>Remove a filter or use fewer search words.</Empty>;
  }
  return <Empty title={`No ${things} yet`}>{children}</Empty>;
}
