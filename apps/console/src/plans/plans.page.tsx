import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { alsoEachMinute } from '../api/live.ts';
import { AppLink, CellLink } from '../app/links.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { EmptyPage } from '../parts/empty-list.tsx';
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
const STATES: Record<string, PlanState[]> = {
  current: ['planned', 'active'],
  ended: ['done', 'cancelled'],
  all: ['planned', 'active', 'done', 'cancelled'],
};
const shownOptions = () => [
  { value: 'current', label: t({ message: 'Current', context: 'plans' }) },
  { value: 'ended', label: t({ message: 'Ended', context: 'plans' }) },
  { value: 'all', label: t({ message: 'All', context: 'plans' }) },
];

/** Remediation plans, newest first. */
export function Component() {
  const search = useSearch();
  const { asOf, query: instant } = useAsOf();
  const asked = search.get('show') ?? 'current';
  const shown = Object.hasOwn(STATES, asked) ? asked : 'current';
  const cursor = search.get('cursor');
  const list = api.useQuery(
    'get',
    '/api/v3/plans',
    {
      params: {
        query: { state: STATES[shown]!, limit: ROWS, ...(cursor && { cursor }), ...instant },
      },
    },
    { placeholderData: keepPreviousData, ...alsoEachMinute(asOf) },
  );
  const pages = usePages(list);
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
          data={shownOptions()}
        />
        {list.error && !list.data ? (
          <ListError error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Answered query={list} waiting={<TableSkeleton />}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyPage>
                  <Empty title={t`No plans`}>
                    <Trans>
                      Select findings in the{' '}
                      <AppLink to="/findings" underline="always">
                        list of findings
                      </AppLink>{' '}
                      to plan their remediation.
                    </Trans>
                  </Empty>
                </EmptyPage>
              ) : (
                <>
                  <DataTable
                    label={t`Remediation plans`}
                    columns={columns()}
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

const columns = (): readonly Column<Plan>[] => [
  {
    id: 'name',
    header: t`Name`,
    isTitle: true,
    cell: ({ id, name }) => (
      <CellLink to={`/plans/${id}`}>
        <bdi>{name}</bdi>
      </CellLink>
    ),
  },
  { id: 'state', header: t`State`, cell: (plan) => <PlanStateBadge plan={plan} /> },
  { id: 'progress', header: t`Progress`, cell: ({ findings }) => progressText(findings) },
  { id: 'owner', header: t`Owner`, cell: (plan) => ownerText(plan) ?? '–' },
  { id: 'due', header: t({ message: 'Due', context: 'time' }), cell: ({ due }) => <Instant at={due} /> },
];
