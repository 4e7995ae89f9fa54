import { type Kysely, sql } from 'kysely';
import type { ScoreChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { assertGapFree, type ChangeBounds, type HistoryRange } from './history-range.ts';
import { type ScoreChangeRow, scoreChanged } from './score-changed.ts';

/**
 * The first changes of scores of a range, in order; empty only if the range has none. All are small, so a limit on
 * their count is enough. As `readFindingChanges`, they are never rolled back if the scorer commits synchronously.
 * @throws HistoryGapError
 */
export async function readScoreChanges(
  db: Kysely<Schema>,
  range: HistoryRange,
  { changesMax }: Pick<ChangeBounds, 'changesMax'>,
): Promise<ScoreChanged[]> {
  const { partition, after } = range;
  const { rows } = await sql<ScoreChangeRow>`
    /* read_score_changes */
    select sequence, at, asset_id, asset_name, score, previous_score, likelihood, previous_likelihood, likelihood_best,
           previous_likelihood_best, is_gone, model, catalogue
    from score_changes
    where partition = ${partition} and sequence > ${after}
    order by sequence limit ${changesMax}`.execute(db);
  assertGapFree('score_changes', range, rows);
  return rows.map((row) => scoreChanged(row, partition));
}
