import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Navigate } from 'react-router';
import { AppLink } from '../app/links.tsx';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { useColumns } from '../parts/columns.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { EmptyList } from '../parts/empty-list.tsx';
import { ListError } from '../parts/filters/list-error.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { usePageSize } from '../parts/page-size.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { UnsortedNote } from '../parts/unsorted-note.tsx';
import { useSearch } from '../parts/use-search.ts';
import { OpeningView } from '../views/opening-view.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { ActiveFindingFilters } from './active-finding-filters.tsx';
import { AcceptDialog } from './bulk/accept-dialog.tsx';
import { PlanDialog } from './bulk/plan-dialog.tsx';
import { RevertDialog } from './bulk/revert-dialog.tsx';
import type { ChosenAct } from './bulk/selection-bar.tsx';
import { TriageDialog } from './bulk/triage-dialog.tsx';
import { WhatIfDialog } from './bulk/what-if-dialog.tsx';
import { type Finding, useFindingColumns } from './finding-columns.tsx';
import { ANY_STATE, groupingOf, isFilterGiven } from './finding-filter.ts';
import { FindingFilters } from './finding-filters.tsx';
import { FindingsExport } from './findings-export.tsx';
import { FindingsTable } from './findings-table.tsx';
import { GroupBy } from './group-by.tsx';
import { TechnicalReport } from './technical-report.tsx';
import { useFindings } from './use-findings.ts';

const FindingGroups = retryableLazy(async () => (await import('./finding-groups.tsx')).FindingGroups);

/** Without a filter in the address, the list shows the default view of the user, or failed findings. */
export function Component() {
  const search = useSearch();
  if (isFilterGiven(search)) return <Findings />;
  return (
    <OpeningView list="findings" isOpening>
      <Navigate replace to={{ search: `?${new URLSearchParams([...search.all(), ['state', 'Failed']])}` }} />
    </OpeningView>
  );
}

function Findings() {
  const search = useSearch();
  const { columns, chooser } = useColumns('findings', useFindingColumns());
  const pageSize = usePageSize(() => search.set({}));
  const found = useFindings(pageSize.size);
  const by = groupingOf(search);
  // The outcome stays visible after the findings leave the list.
  const [act, setAct] = useState<ChosenAct | null>(null);
  return (
    <>
      <PageTitle
        actions={
          <>
            <ViewsMenu list="findings" />
            <TechnicalReport filter={found.filter} />
            <FindingsExport found={found} />
            {by === undefined && chooser}
          </>
        }
      >
        {t`Findings`}
      </PageTitle>
      <Stack gap="sm">
        <FindingFilters />
        <ActiveFindingFilters />
        <GroupBy />
        {by === undefined ? (
          <FindingsList found={found} columns={columns} pageSize={pageSize} onAct={setAct} />
        ) : (
          <Suspense fallback={<TableSkeleton />}>
            {/* By key: the groups of another grouping have keys of another filter. */}
            <FindingGroups key={by} by={by} />
          </Suspense>
        )}
      </Stack>
      {act && <BulkActDialog {...act} onAct={setAct} onClose={() => setAct(null)} />}
    </>
  );
}

function FindingsList({
  found,
  columns,
  pageSize,
  onAct,
}: {
  found: ReturnType<typeof useFindings>;
  columns: readonly Column<Finding>[];
  pageSize: ReturnType<typeof usePageSize>;
  onAct: (act: ChosenAct) => void;
}) {
  const { list, total, isCounting, hasOnlyDated, pages, filter } = found;
  const isFiltered = Object.keys(filter).length > 0;
  const isOnlyFailed = Object.keys(filter).length === 1 && filter.state?.toString() === 'Failed';
  if (list.error && !list.data) {
    return <ListError error={list.error} onRetry={() => void list.refetch()} />;
  }
  return (
    <Answered query={list} waiting={<TableSkeleton />}>
      {({ items }) =>
        items.length === 0 && hasOnlyDated && pages.cursor === undefined ? (
          <Empty title={t`No findings with a due date`}>
            <OnlyDated />
          </Empty>
        ) : items.length === 0 ? (
          <NoFindings isFiltered={isFiltered} isOpening={isOnlyFailed && pages.cursor === undefined} />
        ) : (
          <>
            <ListTotal total={total} isCounting={isCounting}>
              {(count) => (
                <Plural
                  value={count}
                  one={
                    <Trans>
                      <b>#</b> finding
                    </Trans>
                  }
                  other={
                    <Trans>
                      <b>#</b> findings
                    </Trans>
                  }
                />
              )}
            </ListTotal>
            {hasOnlyDated && <OnlyDated />}
            <UnsortedNote why={found.whyUnsorted} remedy={t`Filter by type or asset ID.`} />
            <FindingsTable rows={items} columns={columns} found={found} onAct={onAct} />
            <Pager pages={pages} shown={items.length} total={total}>
              {pageSize.chooser}
            </Pager>
          </>
        )
      }
    </Answered>
  );
}

function BulkActDialog({
  of,
  onAct,
  ...props
}: ChosenAct & { onAct: (act: ChosenAct) => void; onClose: () => void }) {
  if (of === 'whatIf') return <WhatIfDialog onAct={onAct} {...props} />;
  if (of === 'plan') return <PlanDialog {...props} />;
  if (of === 'accept') return <AcceptDialog {...props} />;
  if (of === 'revert') return <RevertDialog {...props} />;
  return <TriageDialog act={of} {...props} />;
}

/** Says what an order by due date leaves out. */
function OnlyDated() {
  const search = useSearch();
  return (
    <Text size="sm" c="dimmed" role="status">
      <Trans>Only findings with a due date are listed.</Trans>{' '}
      <Button size="compact-sm" variant="subtle" onClick={() => search.set({ sort: undefined })}>
        <Trans>Show all</Trans>
      </Button>
    </Text>
  );
}

/** @param isOpening whether the filter is the initial filter */
function NoFindings({ isFiltered, isOpening }: { isFiltered: boolean; isOpening: boolean }) {
  const origin = (
    <Trans>
      Findings come from{' '}
      <AppLink to="/uploads" underline="always">
        uploads
      </AppLink>
      , the HTTP API and{' '}
      <AppLink to="/integrations" underline="always">
        integrations
      </AppLink>
      .
    </Trans>
  );
  if (!isOpening) {
    return (
      <EmptyList noMatch={t`No findings match`} none={t`No findings yet`} isFiltered={isFiltered}>
        {origin}
      </EmptyList>
    );
  }
  return (
    <Empty title={t`No failed findings`}>
      <p>
        <AppLink to={`/findings?state=${ANY_STATE}`}>
          <Trans>Show all states</Trans>
        </AppLink>
      </p>
      {origin}
    </Empty>
  );
}
