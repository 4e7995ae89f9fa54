import { sql } from 'kysely';
import type { SortKey } from '../paging/sort.ts';

/** What findings can be sorted by: keys with an index of their own (docs/decisions.md, "Queries"). */
export const FINDING_SORTS: Record<string, SortKey> = {
  severity: { column: sql`f.severity_value`, type: 'real' },
  name: { column: sql`f.sort_name`, type: 'text' },
  updatedAt: { column: sql`(f.body ->> 'updatedAt')::bigint`, type: 'bigint' },
  assetName: { column: sql`a.sort_name`, type: 'text' },
};

/** Which of an asset's findings a row is, and of which asset. */
export const FINDING_NUMBERS = [sql`f.asset_no`, sql`f.finding_no`];
