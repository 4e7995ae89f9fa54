import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { operations } from '../api/schema.ts';
import { AppLink } from '../app/links.tsx';
import { useColumns } from '../parts/columns.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyPage } from '../parts/empty-list.tsx';
import { Pager } from '../parts/pager.tsx';
import { rejectedSort } from '../parts/rejected-sort.ts';
import { Answered, Empty } from '../parts/states.tsx';
import { UnsortedNote } from '../parts/unsorted-note.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { assetColumns } from './asset-columns.tsx';
import { AlwaysEmpty } from './finding-view.tsx';
import type { Integration } from './kinds.ts';

const PAGE = 50;
type Query = NonNullable<operations['IntegrationsController_assets']['parameters']['query']>;
type Sort = NonNullable<Query['sort']>;

/** Asset View: the assets that the integration reported. */
export function AssetView({ integration }: { integration: Integration }) {
  const search = useSearch();
  const { query: at } = useAsOf();
  const { columns, chooser } = useColumns('integration-assets', assetColumns(integration.type));
  const [cursor, wanted] = ['cursor', 'sort'].map(search.get);
  const page = { limit: PAGE, ...at, ...(cursor && { cursor }) };
  const sorted = useAssetsOf(integration, { ...page, ...(wanted && { sort: wanted as Sort }) }, true);
  const whyUnsorted = rejectedSort(sorted.error);
  const unsorted = useAssetsOf(integration, page, whyUnsorted !== null);
  const [query, sort] = whyUnsorted ? [unsorted, undefined] : [sorted, wanted];
  const pages = usePages(query);
  if (query.data?.note) return <AlwaysEmpty note={query.data.note} integration={integration} />;
  return (
    <Answered query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyPage>
            <Empty title={t`No assets yet`}>
              <Trans>Hosts appear here after a sync.</Trans>
            </Empty>
          </EmptyPage>
        ) : (
          <>
            <Group justify="space-between" mb="sm">
              <AppLink to={`/assets?source=${encodeURIComponent(integration.source)}`} size="sm">
                <Trans>Show in Assets, with filters and search</Trans>
              </AppLink>
              {chooser}
            </Group>
            <UnsortedNote why={whyUnsorted} />
            <DataTable
              label={t`Asset View`}
              columns={columns}
              rows={items}
              idOf={({ id }) => id}
              sort={sort}
              {...(!whyUnsorted && { onSort: (to: string | undefined) => search.set({ sort: to }) })}
              isStale={query.isPlaceholderData}
            />
            <Pager pages={pages} shown={items.length} />
          </>
        )
      }
    </Answered>
  );
}

const useAssetsOf = ({ id }: Integration, query: Query, enabled: boolean) =>
  api.useQuery(
    'get',
    '/integrations/{id}/assets',
    { params: { path: { id }, query } },
    { placeholderData: keepPreviousData, enabled },
  );
