import { sql } from 'kysely';
import type { SortKey } from '../paging/sort.ts';

/** The sort keys of assets, each with an index (ADR-0043). */
export const ASSET_SORTS = {
  name: { column: sql`a.sort_name`, type: 'text' },
  updatedAt: { column: sql`(a.state ->> 'updatedAt')::bigint`, type: 'bigint' },
  /** Hundredths, −1 without one. It is in a separate table: `listByScore` reads lists that are sorted by it. */
  score: { column: sql`coalesce(r.score, -1)`, type: 'smallint' },
  criticality: { column: sql`criticality_rank(a.criticality)`, type: 'smallint' },
} as const satisfies Record<string, SortKey>;

export type AssetSort = keyof typeof ASSET_SORTS;

export const ASSET_NUMBERS = [sql`a.asset_no`];
