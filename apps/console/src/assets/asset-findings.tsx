import { t } from '@lingui/core/macro';
import { Group, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Api, api } from '../api/client.ts';
import type { operations } from '../api/schema.ts';
import { CellLink } from '../app/links.tsx';
import classes from '../findings/findings.module.css';
import { TechnicalReport } from '../findings/technical-report.tsx';
import { number } from '../language/format.ts';
import { useColumns } from '../parts/columns.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { EmptyPage } from '../parts/empty-list.tsx';
import { type FindingType, typeNames } from '../parts/finding-type.ts';
import { Instant } from '../parts/instant.tsx';
import { Pager } from '../parts/pager.tsx';
import { Panel } from '../parts/panel.tsx';
import { useFilterSearch } from '../parts/query/use-filter-search.ts';
import { rejectedSort } from '../parts/rejected-sort.ts';
import { Severity } from '../parts/severity.tsx';
import { type FindingState, State } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { UnsortedNote } from '../parts/unsorted-note.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useAsOf } from '../time/as-of.ts';
import { AssetFindingsFilter } from './asset-findings-filter.tsx';

type Finding = Api['FindingItemDto'];
type Query = NonNullable<operations['AssetsController_findings']['parameters']['query']>;
type Sort = NonNullable<Query['sort']>;

const ROWS = 25;

const findingColumns = (): Column<Finding>[] => [
  {
    id: 'severity',
    header: t`Severity`,
    cell: ({ severity }) => <Severity value={severity.value} />,
    sort: 'severity',
    firstSort: 'descending',
  },
  {
    id: 'name',
    header: t`Finding`,
    cell: ({ id, name }) => (
      <span className={classes.name} title={name}>
        <CellLink to={`/findings/${id}`}>
          <bdi>{name}</bdi>
        </CellLink>
      </span>
    ),
    sort: 'name',
  },
  { id: 'type', header: t`Type`, cell: ({ type }) => typeNames()[type] },
  { id: 'state', header: t`State`, cell: ({ state }) => <State of={state} /> },
  {
    id: 'instances',
    header: t`Instances`,
    cell: ({ instanceCount }) => number(instanceCount),
    align: 'end',
  },
  {
    id: 'known',
    header: t`CVEs and techniques`,
    cell: ({ cves, techniques }) => shortList([...cves, ...techniques]),
  },
  { id: 'lastSeen', header: t`Last seen`, cell: ({ lastSeen }) => <Instant at={lastSeen} /> },
  {
    id: 'updatedAt',
    header: t`Last changed`,
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
    sort: 'updatedAt',
    firstSort: 'descending',
    isExtra: true,
  },
  { id: 'source', header: t`Source`, cell: ({ source }) => source ?? '–', isExtra: true },
];

/** Findings of an asset. The address bar contains filters, order and page. */
export function AssetFindings({ id }: { id: string }) {
  const asOf = useAsOf();
  const search = useFilterSearch('findings');
  const { columns, chooser } = useColumns('asset-findings', useMemo(findingColumns, []));
  const filter = {
    type: search.list('type') as FindingType[],
    state: search.list('state') as FindingState[],
    q: search.get('q'),
  };
  const isFiltered = filter.type.length + filter.state.length > 0 || filter.q !== undefined;
  const wanted = (search.get('sort') ?? '-severity') as Sort;
  const asked = { ...given(filter), ...asOf.query };
  const counts = api.useQuery(
    'get',
    '/api/v3/findings/counts',
    { params: { query: { ...asked, assetId: id } } },
    { placeholderData: keepPreviousData },
  );
  const cursor = search.get('cursor');
  const page = { ...asked, limit: ROWS, ...(cursor && { cursor }) };
  const sorted = useFindingsOf(id, { ...page, sort: wanted }, true);
  const whyUnsorted = rejectedSort(sorted.error);
  const unsorted = useFindingsOf(id, page, whyUnsorted !== null);
  const [query, sort] = whyUnsorted ? [unsorted, undefined] : [sorted, wanted];
  const pages = usePages(query);
  return (
    <Panel
      title={t`Findings`}
      actions={
        <Group gap="xs">
          <TechnicalReport filter={{ ...given(filter), assetId: id }} />
          {chooser}
        </Group>
      }
    >
      <AssetFindingsFilter search={search} />
      <Answered query={query} waiting={<Skeleton height={300} />}>
        {({ items }) => (
          <>
            <UnsortedNote why={whyUnsorted} />
            {items.length === 0 ? (
              <EmptyPage>
                <Empty
                  title={isFiltered ? t`No findings match these filters` : t`This asset has no findings`}
                />
              </EmptyPage>
            ) : (
              <DataTable
                label={t`Findings of the asset`}
                columns={columns}
                rows={items}
                idOf={({ id }) => id}
                isStale={query.isPlaceholderData}
                sort={sort}
                {...(sort && { onSort: (by: string | undefined) => search.set({ sort: by }) })}
              />
            )}
            <Pager pages={pages} shown={items.length} total={counts.data?.total} />
          </>
        )}
      </Answered>
    </Panel>
  );
}

const useFindingsOf = (id: string, query: Query, enabled: boolean) =>
  api.useQuery(
    'get',
    '/api/v3/assets/{id}/findings',
    { params: { path: { id }, query } },
    { placeholderData: keepPreviousData, enabled },
  );

/** Omits empty filters, because the service rejects them. */
const given = ({
  type,
  state,
  q,
}: {
  type: FindingType[];
  state: FindingState[];
  q: string | undefined;
}) => ({
  ...(type.length > 0 && { type }),
  ...(state.length > 0 && { state }),
  ...(q !== undefined && { q }),
});

const SHORT_MAX = 2;

function shortList(ids: string[]): string {
  const shown = ids.slice(0, SHORT_MAX).join(', ');
  const more = number(ids.length - SHORT_MAX);
  if (ids.length > SHORT_MAX) return t`${shown} and ${more} more`;
  return shown || '–';
}
