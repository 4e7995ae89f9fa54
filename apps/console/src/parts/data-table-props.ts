import type { ReactNode } from 'react';
import type { Selection } from './row-selection.tsx';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Value of the `sort` parameter for this column; descending with the prefix `-`. */
  sort?: string;
  /** Order after the first click on the header. */
  firstSort?: 'ascending' | 'descending';
  align?: 'end';
  /** Names the row; always shown. */
  isTitle?: boolean;
  /** Hidden by default. */
  isExtra?: boolean;
}

export interface DataTableProps<Row> {
  /** Label for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  nameOf?: (row: Row) => string;
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  selection?: Selection | undefined;
  /** The rows belong to the previous request, and the current one is pending. */
  isStale?: boolean;
  /** The main table of a page: with a frame, and with cards on a phone, titled by the `isTitle` column. */
  hasCards?: boolean;
}
