import type { ReactNode } from 'react';
import type { Selection } from './row-selection.tsx';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The value of the route's `sort` that orders by it; the greatest first with a `-` before it. */
  sort?: string;
  /** What sorts first where the header is pressed first. */
  firstSort?: 'ascending' | 'descending';
  align?: 'right';
  /** Names the row; always shown. */
  isTitle?: boolean;
  /** Left out until the reader chooses it. */
  isExtra?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table holds, for readers of screens. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  nameOf?: (row: Row) => string;
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  selection?: Selection | undefined;
  /** The rows are of the question before, while the answer to this one is awaited. */
  isStale?: boolean;
  /** The one table of a page: it has a frame, and on a phone a row is a card, headed by the column that `isTitle`. */
  hasCards?: boolean;
}
