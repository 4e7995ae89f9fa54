import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      <Empty title={t`This page is empty`}>
        <p>
          <Trans>The data on this page has changed.</Trans>
        </p>
        <Button variant="default" size="xs" onClick={() => search.set({})}>
          <Trans>Go to the first page</Trans>
        </Button>
      </Empty>
    );
  }
  if (isFiltered) {
    return (
      <Empty title={t`No ${things} match`}>
        <Trans>Remove a filter or use fewer search words.</Trans>
      </Empty>
    );
  }
  return <Empty title={t`No ${things} yet`}>{children}</Empty>;
}
