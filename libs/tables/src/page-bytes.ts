import { type RawBuilder, sql } from 'kysely';

/**
 * Bytes of the findings or assets, as they are stored, after which a page ends, with a cursor: each may have megabytes,
 * and five hundred of them more than a program has.
 */
export const PAGE_BYTES_MAX = 8 * 1024 * 1024;

/** A row with the bytes of the findings or assets up to it, its own included. */
export interface WeighedRow {
  bytesUpTo: number;
}

/**
 * Those of `rows` that a page has room for, in the order of their `place`; the last may be half outside.
 * @param rows a select with a `place` that counts from 1, and the column `weighed`
 */
export const upToPageBytes = <T extends WeighedRow>(
  rows: RawBuilder<unknown>,
  weighed = sql.ref('finding'),
): RawBuilder<T> => sql<T>`
  select * from (
    select *, sum(octet_length(${weighed}::text)) over (order by place) as "bytesUpTo" from (${rows}) placed) weighed
  where "bytesUpTo" - octet_length(${weighed}::text) < ${PAGE_BYTES_MAX}
  order by place`;

/** As `upToPageBytes`, of rows with an `asset`, in their own order. */
export const assetsUpToPageBytes = <T>(rows: RawBuilder<unknown>): RawBuilder<T & WeighedRow> =>
  upToPageBytes(sql`select row_number() over () as place, * from (${rows}) listed`, sql.ref('asset'));

/** Whether there may be more after rows that were read up to `limit`, and that `upToPageBytes` has left. */
export const isPageFull = (rows: readonly Partial<WeighedRow>[], limit = Number.POSITIVE_INFINITY): boolean =>
  rows.length >= limit || (rows.at(-1)?.bytesUpTo ?? 0) >= PAGE_BYTES_MAX;
