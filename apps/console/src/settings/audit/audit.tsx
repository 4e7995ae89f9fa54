import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { AppLink } from '../../app/links.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Answered, Empty } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSearch } from '../../parts/use-search.ts';
import type { Scope } from '../../session/scope.ts';
import { useSession } from '../../session/session.ts';
import { ON_ENTRY } from '../act.ts';
import { ActDetail } from './act-detail.tsx';
import { type Act, actionText, targetOf } from './acts.ts';
import { AuditFilters, FILTERS } from './audit-filters.tsx';

export default function Audit() {
  const search = useSearch();
  const scopes = useSession()?.scopes ?? [];
  const given = [...FILTERS, 'cursor'].flatMap((name) => {
    const value = search.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const query = api.useQuery(
    'get',
    '/api/v3/audit',
    { params: { query: Object.fromEntries(given) } },
    { ...ON_ENTRY, placeholderData: keepPreviousData },
  );
  const pages = usePages(query);
  return (
    <Stack>
      <AuditFilters search={search} />
      <Answered query={query} waiting={<Skeleton height={500} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              {given.length === 0 ? (
                <Empty title={t`No actions yet`}>
                  <Trans>Users have not changed anything yet.</Trans>
                </Empty>
              ) : (
                <Empty title={t`No actions match`}>
                  <Trans>Remove a filter. IDs and user names must match exactly.</Trans>
                </Empty>
              )}
            </EmptyPage>
          ) : (
            <Paper withBorder p="sm">
              <DataTable
                label={t`Actions`}
                columns={columnsFor(scopes)}
                rows={items}
                idOf={idOf}
                isStale={query.isPlaceholderData}
              />
              <Pager pages={pages} shown={items.length} />
            </Paper>
          )
        }
      </Answered>
    </Stack>
  );
}

/** The log position identifies an action; limited callers do not have it. */
const idOf = ({ position, at, target, action }: Act) => JSON.stringify(position ?? [at, target, action]);

const columnsFor = (scopes: readonly Scope[]): Column<Act>[] => [
  { id: 'at', header: t`Time`, cell: ({ at }) => <Instant at={at} /> },
  { id: 'user', header: t`User`, cell: ({ user }) => <bdi>{user ?? '–'}</bdi> },
  { id: 'action', header: t`Action`, cell: ({ action }) => actionText(action) },
  {
    id: 'target',
    header: t`Target`,
    cell: (act) => {
      const { name, to } = targetOf(act, scopes);
      return to !== null ? (
        <AppLink to={to} size="sm">
          <bdi>{name}</bdi>
        </AppLink>
      ) : (
        <bdi>{name}</bdi>
      );
    },
  },
  { id: 'detail', header: t`Changes`, cell: (act) => <ActDetail act={act} /> },
];
