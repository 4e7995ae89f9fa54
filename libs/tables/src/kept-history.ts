import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';

/** A part of the histories of findings; what is left out is not limited. */
interface HistoryPart {
  partition?: number;
  types?: readonly string[];
}

/** The statement of `historyKeptFrom`. */
export const selectHistoryKeptFrom = ({ partition, types }: HistoryPart) => sql<{ kept_from: number | null }>`
  select max(kept_from) as kept_from from history_trims where ${sql.join(
    [
      sql<SqlBool>`removed > 0`,
      ...(partition === undefined ? [] : [sql<SqlBool>`partition = ${partition}`]),
      ...(types === undefined ? [] : [sql<SqlBool>`finding_type = any(${[...types]}::text[])`]),
    ],
    sql` and `,
  )}`;

/**
 * Since when (epoch ms) the states of all findings of a part are known: changes from before were removed under the
 * retention of the history (ADR-0108). Null if none was.
 */
export async function historyKeptFrom(db: Kysely<Schema>, part: HistoryPart = {}): Promise<number | null> {
  const { rows } = await selectHistoryKeptFrom(part).execute(db);
  return rows[0]!.kept_from;
}

/** SQL of the sequence up to which changes of findings of a partition may be missing; 0 if none was removed. */
export const trimmedThrough = (partition: number) => sql<number>`coalesce((
  select max(through_sequence) from history_trims where removed > 0 and partition = ${partition}), 0)`;

/** Partition → the sequence up to which changes of findings may be missing. */
export async function historyTrimmedThrough(db: Kysely<Schema>): Promise<Map<number, number>> {
  const { rows } = await sql<{ partition: number; through: number }>`
    select partition, max(through_sequence) as through from history_trims
    where removed > 0 group by partition`.execute(db);
  return new Map(rows.map(({ partition, through }) => [partition, through]));
}
