import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { useSearch } from './use-search.ts';

/**
 * A page of a list without rows: because they are gone, or because of a filter, or because no data exists.
 * @param children what to show on the first page
 */
export function EmptyPage({ children }: { children: ReactNode }) {
  const search = useSearch();
  if (search.get('cursor') === undefined) return children;
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

/**
 * As `EmptyPage`, for a list with filters.
 * @param noMatch title if no item matches the filter, such as `No findings match`
 * @param none title if there is no item, such as `No findings yet`
 * @param children how to create data
 */
export function EmptyList({
  noMatch,
  none,
  isFiltered,
  children,
}: {
  noMatch: string;
  none: string;
  isFiltered: boolean;
  children: ReactNode;
}) {
  return (
    <EmptyPage>
      {isFiltered ? (
        <Empty title={noMatch}>
          <Trans>Remove a filter or use fewer search words.</Trans>
        </Empty>
      ) : (
        <Empty title={none}>{children}</Empty>
      )}
    </EmptyPage>
  );
}
