import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { AppLink, CellLink } from '../app/links.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { ListError } from '../parts/filters/list-error.tsx';
import { Instant } from '../parts/instant.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { ownerText, type Plan, type PlanState, progressText } from './plan.ts';
import { PlanStateBadge } from './plan-state.tsx';

const ROWS = 50;
const SHOWN: Record<string, { label: string; states: PlanState[] }> = {
  current: { label: 'Current', states: ['planned', 'active'] },
  ended: { label: 'Ended', states: ['done', 'cancelled'] },
  all: { label: 'All', states: ['planned', 'active', 'done', 'cancelled'] },
};

/** Remediation plans, newest first. */
export function Component() {
  const search = useSearch();
  const { query: instant } = useAsOf();
  const asked = search.get('show') ?? 'current';
  const shown = asked in SHOWN ? asked : 'current';
  const cursor = search.get('cursor');
  const list = api.useQuery(
    'get',
    '/api/v3/plans',
    {
      params: {
        query: { state: SHOWN[shown]!.states, limit: ROWS, ...(cursor && { cursor }), ...instant },
      },
    },
    { placeholderData: keepPreviousData },
  );
  const pages = usePages(list.isPlaceholderData ? null : list.data?.nextCursor);
  return (
    <>
      <PageTitle>{t`Plans`}</PageTitle>
      <Stack gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t`Plans to show`}
          style={{ alignSelf: 'flex-start' }}
          value={shown}
          onChange={(value) => search.set({ show: value === 'current' ? undefined : value })}
          data={Object.entries(SHOWN).map(([value, { label }]) => ({ value, label }))}
        />
        {list.error && !list.data ? (
          <ListError error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Answered query={list} waiting={<TableSkeleton />}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={t`No plans`}>
                  <Trans>
                    Select findings in the <AppLink to="/findings">list of findings</AppLink> to plan their
                    remediation.
                  </Trans>
                </Empty>
              ) : (
                <>
                  <DataTable
                    label={t`Remediation plans`}
                    columns={COLUMNS}
                    rows={items}
                    idOf={({ id }) => id}
                    isStale={list.isPlaceholderData}
                    hasCards
                  />
                  <Pager pages={pages} shown={items.length} />
                </>
              )
            }
          </Answered>
        )}
      </Stack>
    </>
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  {
    id: 'name',
    header: 'Name',
    isTitle: true,
    cell: ({ id, name }) => <CellLink to={`/plans/${id}`}>{name}</CellLink>,
  },
  { id: 'state', header: 'State', cell: (plan) => <PlanStateBadge plan={plan} /> },
  { id: 'progress', header: 'Progress', cell: ({ findings }) => progressText(findings) },
  { id: 'owner', header: 'Owner', cell: (plan) => ownerText(plan) ?? '–' },
  { id: 'due', header: 'Due', cell: ({ due }) => <Instant at={due} /> },
];
