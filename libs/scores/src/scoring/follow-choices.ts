import { sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import { type ChoiceTimeline, DEFAULT_CHOICES, firstDifference } from '#libs/domain';
import { readChoices } from '../choices/read-choices.ts';

/** What a partition was scored with. */
export interface ScoredWith {
  partition: number;
  /** Log offset of the last act that `choices` were read with. */
  choices_offset: number;
  /** Null before the first one. */
  choices: ChoiceTimeline | null;
}

/**
 * Returns the models to score a partition with; its row must be locked. If the partition was scored with other models,
 * marks all of its assets to be scored again from the first difference on: another model, other incident rates, or a
 * corrected clock. Earlier scores stay.
 * @param offset log offset of the last act that choices follow from
 */
export async function followChoices(
  tx: Transaction<Schema>,
  { partition, choices_offset: known, choices: before }: ScoredWith,
  offset: number,
): Promise<ChoiceTimeline> {
  if (offset === known && before !== null) return before;
  const choices = await readChoices(tx);
  const since = firstDifference(before ?? DEFAULT_CHOICES, choices);
  if (since !== null) await markAll(tx, partition, since);
  await tx
    .updateTable('scored_partitions')
    .set({
      choices_offset: offset,
      choices: JSON.stringify(choices),
      model: choices.at(-1)!.value.model,
    })
    .where('partition', '=', partition)
    .execute();
  return choices;
}

/** Marks deleted assets too, because their scores before the deletion also change. */
export async function markAll(tx: Transaction<Schema>, partition: number, since: number): Promise<void> {
  await sql`
    insert into rescorings (partition, asset_no, since)
    select distinct partition, asset_no, ${instant(since)} from score_history
    where partition = ${partition} and valid_to > ${instant(since)}
    order by partition, asset_no
    on conflict (partition, asset_no) do update set since = least(rescorings.since, excluded.since)`.execute(
    tx,
  );
}
