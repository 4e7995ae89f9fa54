import { Stack } from '@mantine/core';
import { useState } from 'react';
import { AppLink } from '../app/links.tsx';
import { useColumns } from '../parts/columns.tsx';
import { EmptyList } from '../parts/empty-list.tsx';
import { RefusedList } from '../parts/filters/refused-list.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { usePageSize } from '../parts/page-size.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { useSearch } from '../parts/use-search.ts';
import { ActiveFindingFilters } from './active-finding-filters.tsx';
import { AcceptDialog } from './bulk/accept-dialog.tsx';
import { RevertDialog } from './bulk/revert-dialog.tsx';
import type { ChosenAct } from './bulk/selection-bar.tsx';
import { FINDING_COLUMNS } from './finding-columns.tsx';
import { FindingFilters } from './finding-filters.tsx';
import { FindingsExport } from './findings-export.tsx';
import { FindingsTable } from './findings-table.tsx';
import { useFindings } from './use-findings.ts';

const THINGS = { one: 'finding', many: 'findings' };

export function Component() {
  const search = useSearch();
  const { columns, chooser } = useColumns('findings', FINDING_COLUMNS);
  const pageSize = usePageSize(() => search.set({}));
  const found = useFindings(pageSize.size);
  const { list, counts, pages } = found;
  const isFiltered = Object.keys(found.filter).length > 0;
  const total = counts.data?.total;
  // Its outcome stays, although what was acted on may have left the list.
  const [act, setAct] = useState<ChosenAct | null>(null);
  const Dialog = act?.of === 'accept' ? AcceptDialog : RevertDialog;
  return (
    <>
      <PageTitle
        actions={
          <>
            <FindingsExport found={found} />
            {chooser}
          </>
        }
      >
        Findings
      </PageTitle>
      <Stack gap="sm">
        <FindingFilters />
        <ActiveFindingFilters />
        {list.error && !list.data ? (
          <RefusedList error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Answered query={list} waiting={<TableSkeleton />}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyList things="findings" isFiltered={isFiltered}>
                  Findings come with <AppLink to="/uploads">uploads</AppLink>, over the HTTP interface, and
                  from <AppLink to="/integrations">integrations</AppLink>.
                </EmptyList>
              ) : (
                <>
                  <ListTotal of={THINGS} total={total} isCounting={counts.isPending} />
                  <FindingsTable rows={items} columns={columns} found={found} onAct={setAct} />
                  <Pager pages={pages} shown={items.length} total={total}>
                    {pageSize.chooser}
                  </Pager>
                </>
              )
            }
          </Answered>
        )}
      </Stack>
      {act && <Dialog target={act.target} onClose={() => setAct(null)} />}
    </>
  );
}
