import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '#libs/database';
import {
  type ChoiceTimeline,
  choiceTimeline,
  OPENED_ACTION,
  ORGANIZATION_KEY,
  type Since,
} from '#libs/domain';

/**
 * SQL of the acts that choices follow from: the opening of the log, changes of settings, and corrections of the clock that
 * dates them.
 */
const DECISIVE_ACTS: RawBuilder<unknown> = sql`
  (select a.* from organization o join acts a on a.partition = o.partition
   where o.entity_key = ${ORGANIZATION_KEY} and a.target in ('settings', 'partition ' || o.partition)
     and a.refused is null)`;

/** SQL of the log offset of the last of them; −1 if there is none. */
export const CHOICES_OFFSET: RawBuilder<number> = sql`
  (select coalesce(max(log_offset), -1) from ${DECISIVE_ACTS} decisive)`;

/**
 * The models that were in force, each from the instant of its event on, that of the opening from ever on: the audit trail
 * has every change of a setting.
 */
export async function readChoices(db: Kysely<Schema>): Promise<ChoiceTimeline> {
  const { rows } = await sql<Since<object> & { action: string }>`
    select action, at as "from", coalesce(detail -> 'after', '{}') as value from ${DECISIVE_ACTS} decisive
    order by log_offset`.execute(db);
  const [first, ...later] = rows;
  return first?.action === OPENED_ACTION ? choiceTimeline(later, first.value) : choiceTimeline(rows);
}
