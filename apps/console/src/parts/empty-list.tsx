import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { useSearch } from './use-search.ts';

/**
 * An empty list: because of a filter, because the rows of this page are gone, or because no data exists.
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
      <Empty title={noMatch}>
        <Trans>Remove a filter or use fewer search words.</Trans>
      </Empty>
    );
  }
  return <Empty title={none}>{children}</Empty>;
}
