import { sql } from 'kysely';
import type { Sla } from '#libs/domain';
import type { ListOrder, SortKey } from '../paging/sort.ts';
import { UPDATED_MS } from './finding-times.ts';

/** The sort keys of findings, each with an index (ADR-0043). */
export const FINDING_SORTS = {
  severity: { column: sql`f.severity_value`, type: 'real' },
  name: { column: sql`f.sort_name`, type: 'text' },
  updatedAt: { column: UPDATED_MS, type: 'bigint' },
  due: { column: sql`f.due_ms`, type: 'bigint', isOptional: true },
  assetName: { column: sql`a.sort_name`, type: 'text' },
} as const satisfies Record<string, SortKey>;

export type FindingSort = keyof typeof FINDING_SORTS;

/** Which of an asset's findings a row is, and of which asset. */
export const FINDING_NUMBERS = [sql`f.asset_no`, sql`f.finding_no`];

/** How a list of findings is sorted. */
export interface FindingOrder extends ListOrder {
  /** By which due dates are derived; omitted or null: only users set them. */
  sla?: Sla | null;
}
