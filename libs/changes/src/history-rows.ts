import { type RawBuilder, sql } from 'kysely';
import type { ChangeBounds, HistoryRange } from './history-range.ts';

/**
 * The first rows of a range of a history within the bounds, at least one if there is any, each with `bytes`: the length of
 * its JSON. Lengths of texts are known only when the JSON is read: the stored sizes, which are smaller, bound how many are.
 */
export const historyRows = (
  table: 'asset_history' | 'finding_history',
  { partition, after }: HistoryRange,
  { changesMax, bytesMax }: ChangeBounds,
): RawBuilder<unknown> => {
  const json = sql.ref(table === 'asset_history' ? 'state' : 'body');
  return sql`
    select * from (
      select *, sum(bytes) over (order by sequence) as bytes_so_far
      from (
        select *, octet_length(${json}::text) as bytes
        from (
          select *, pg_column_size(${json}) as stored, sum(pg_column_size(${json})) over (order by sequence) as stored_so_far
          from (
            select * from ${sql.table(table)}
            where partition = ${partition} and sequence > ${after}
            order by sequence limit ${changesMax}
          ) as first
        ) as candidates
        where stored_so_far <= ${bytesMax} or stored_so_far = stored
      ) as measured
    ) as summed
    where bytes_so_far <= ${bytesMax} or bytes_so_far = bytes`;
};
