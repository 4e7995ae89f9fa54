import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { operations } from '../api/schema.ts';
import { AppLink } from '../app/links.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyPage } from '../parts/empty-list.tsx';
import { Pager } from '../parts/pager.tsx';
import { useFilterSearch } from '../parts/query/use-filter-search.ts';
import { rejectedSort } from '../parts/rejected-sort.ts';
import { LEVEL_FROM, type Level } from '../parts/severity.tsx';
import type { FindingState } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { UnsortedNote } from '../parts/unsorted-note.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useAsOf } from '../time/as-of.ts';
import { findingColumns } from './finding-columns.tsx';
import { FindingFilters } from './finding-filters.tsx';
import { type Integration, kindOf } from './kinds.ts';
import { asSentence } from './sync-words.ts';

const PAGE = 50;
type Query = NonNullable<operations['IntegrationsController_findings']['parameters']['query']>;
type Sort = NonNullable<Query['sort']>;

/** Finding View: findings from the integration. */
export function FindingView({ integration }: { integration: Integration }) {
  const search = useFilterSearch('findings');
  const { query: at } = useAsOf();
  const [cursor, q, wanted, level] = ['cursor', 'q', 'sort', 'severity'].map(search.get);
  const states = search.list('state') as FindingState[];
  const isFiltered = q !== undefined || level !== undefined || states.length > 0;
  const page = {
    limit: PAGE,
    ...at,
    ...(cursor && { cursor }),
    ...(q && { q }),
    ...(states.length > 0 && { state: states }),
    ...(level && { severityMin: LEVEL_FROM[level as Level] }),
  };
  const sorted = useFindingsOf(integration, { ...page, ...(wanted && { sort: wanted as Sort }) }, true);
  const whyUnsorted = rejectedSort(sorted.error);
  const unsorted = useFindingsOf(integration, page, whyUnsorted !== null);
  const [query, sort] = whyUnsorted ? [unsorted, undefined] : [sorted, wanted];
  const pages = usePages(query);
  if (query.data?.note) return <AlwaysEmpty note={query.data.note} integration={integration} />;
  return (
    <>
      <FindingFilters search={search} source={integration.source} />
      <Answered query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Empty title={isFiltered ? t`No findings match the filters` : t`No findings yet`}>
                {isFiltered ? null : t`Findings appear here after a sync.`}
              </Empty>
            </EmptyPage>
          ) : (
            <>
              <UnsortedNote why={whyUnsorted} />
              <DataTable
                label={t`Finding View`}
                columns={findingColumns()}
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
    </>
  );
}

const useFindingsOf = ({ id }: Integration, query: Query, enabled: boolean) =>
  api.useQuery(
    'get',
    '/integrations/{id}/findings',
    { params: { path: { id }, query } },
    { placeholderData: keepPreviousData, enabled },
  );

/** Some types of integrations import only metadata, so their views are always empty (R-INV-2). */
export function AlwaysEmpty({ note, integration }: { note: string; integration: Integration }) {
  const [why = note] = note.split('. ');
  const { title } = kindOf(integration);
  return (
    <Empty title={t`This view is always empty`}>
      <Text size="sm">{asSentence(why)}</Text>
      <Group justify="center" mt="xs">
        <AppLink to={`/assets?source=${encodeURIComponent(integration.source)}`}>
          <Trans>Assets with data from {title}</Trans>
        </AppLink>
      </Group>
    </Empty>
  );
}
