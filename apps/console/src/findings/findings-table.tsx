import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { useSearch } from '../parts/use-search.ts';
import { useMay } from '../session/session.ts';
import { type ChosenAct, SelectionBar } from './bulk/selection-bar.tsx';
import type { Finding } from './finding-columns.tsx';
import type { useFindings } from './use-findings.ts';

const NONE: ReadonlySet<string> = new Set();

/** A page of findings, with selection and actions if the role allows them. */
export function FindingsTable({
  rows,
  columns,
  found: { filter, sort, hasOnlyDated, list, total, pages, instant, query },
  onAct,
}: {
  rows: readonly Finding[];
  columns: readonly Column<Finding>[];
  found: ReturnType<typeof useFindings>;
  onAct: (act: ChosenAct) => void;
}) {
  const search = useSearch();
  const isPresent = instant.asOf === undefined;
  const mayAccept = useMay('findings:accept');
  const mayTriage = useMay('findings:triage');
  const mayAct = (mayAccept || mayTriage) && isPresent;
  const page = JSON.stringify(query);
  // The selection is limited to one page, or has all that match until a box is changed.
  const [chosen, setChosen] = useState({ page, ids: NONE, isAll: false });
  const isAll = chosen.isAll && chosen.page === page;
  const onPage = chosen.page === page ? chosen.ids : NONE;
  const ids = isAll ? new Set(rows.map(({ id }) => id)) : onPage;
  const set = (ids: ReadonlySet<string>) => setChosen({ page, ids, isAll: false });
  const findings = rows.filter(({ id }) => ids.has(id));
  return (
    <>
      {mayAct && findings.length > 0 && (
        <SelectionBar
          chosen={findings}
          filter={filter}
          total={total}
          // An act on all that match has no order: it would also be on findings without a due date.
          hasMore={!hasOnlyDated && (pages.next !== undefined || pages.cursor !== undefined)}
          isPageChosen={findings.length === rows.length}
          isAll={isAll}
          onAct={onAct}
          onSelectAll={() => setChosen({ page, ids, isAll: true })}
          onClear={() => set(NONE)}
        />
      )}
      <DataTable
        label={t`Findings`}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ name, assetName }) => t`${name} on ${assetName}`}
        sort={sort}
        {...(sort && { onSort: (by: string | undefined) => search.set({ sort: by }) })}
        selection={mayAct ? { ids, set } : undefined}
        isStale={list.isPlaceholderData}
        hasCards
      />
    </>
  );
}
