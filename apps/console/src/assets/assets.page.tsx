import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { AppLink } from '../app/links.tsx';
import { useColumns } from '../parts/columns.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyList } from '../parts/empty-list.tsx';
import { ListError } from '../parts/filters/list-error.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { usePageSize } from '../parts/page-size.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { UnsortedNote } from '../parts/unsorted-note.tsx';
import { useSearch } from '../parts/use-search.ts';
import { OpeningView } from '../views/opening-view.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { ActiveAssetFilters } from './active-asset-filters.tsx';
import { assetColumns } from './asset-columns.tsx';
import { isFilterGiven } from './asset-filter.ts';
import { AssetFilters } from './asset-filters.tsx';
import { AssetsExport } from './assets-export.tsx';
import { useAssets } from './use-assets.ts';

/** A link without a filter leads to the default view of the user, or to all assets. */
export function Component() {
  return (
    <OpeningView list="assets" isOpening={!isFilterGiven(useSearch())}>
      <Assets />
    </OpeningView>
  );
}

function Assets() {
  const search = useSearch();
  const { columns, chooser } = useColumns('assets', useMemo(assetColumns, []));
  const pageSize = usePageSize(() => search.set({}));
  const found = useAssets(pageSize.size);
  const { list, counts, pages, sort, filter } = found;
  const total = counts.data?.total;
  return (
    <>
      <PageTitle
        actions={
          <>
            <ViewsMenu list="assets" />
            <AssetsExport found={found} />
            {chooser}
          </>
        }
      >
        {t`Assets`}
      </PageTitle>
      <Stack gap="sm">
        <AssetFilters />
        <ActiveAssetFilters />
        {list.error && !list.data ? (
          <ListError error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Answered query={list} waiting={<TableSkeleton />}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyList
                  noMatch={t`No assets match`}
                  none={t`No assets yet`}
                  isFiltered={Object.keys(filter).length > 0}
                >
                  <Trans>
                    Assets appear after the first{' '}
                    <AppLink to="/uploads" underline="always">
                      upload
                    </AppLink>
                    .
                  </Trans>
                </EmptyList>
              ) : (
                <>
                  <ListTotal total={total} isCounting={counts.isPending}>
                    {(count) => (
                      <Plural
                        value={count}
                        one={
                          <Trans>
                            <b>#</b> asset
                          </Trans>
                        }
                        other={
                          <Trans>
                            <b>#</b> assets
                          </Trans>
                        }
                      />
                    )}
                  </ListTotal>
                  <UnsortedNote why={found.whyUnsorted} />
                  <DataTable
                    label={t`Assets`}
                    columns={columns}
                    rows={items}
                    idOf={({ id }) => id}
                    sort={sort}
                    {...(sort && { onSort: (by: string | undefined) => search.set({ sort: by }) })}
                    isStale={list.isPlaceholderData}
                    hasCards
                  />
                  <Pager pages={pages} shown={items.length} total={total}>
                    {pageSize.chooser}
                  </Pager>
                </>
              )
            }
          </Answered>
        )}
      </Stack>
    </>
  );
}
