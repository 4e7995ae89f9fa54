import { sql, type Transaction } from 'kysely';
import type { Schema } from '#libs/database';

/**
 * Removes the digests of findings that a projector of an earlier version has changed: it wrote the history, but moved
 * neither the digests nor their position. Its other findings are as their digests say. Locks the position until the end
 * of the transaction.
 */
export async function dropStaleDigests(trx: Transaction<Schema>, partition: number): Promise<void> {
  const position = await trx
    .selectFrom('projection_positions')
    .select(['finding_sequence', 'digested_sequence'])
    .where('partition', '=', partition)
    .forUpdate()
    .executeTakeFirst();
  if (!position || position.digested_sequence === position.finding_sequence) return;
  if (position.digested_sequence !== null) {
    await sql`
      update finding_seen s set digest = null
      from (
        select distinct asset_no, finding_no from finding_history
        where partition = ${partition} and sequence > ${position.digested_sequence}
      ) changed
      where s.asset_no = changed.asset_no and s.finding_no = changed.finding_no and s.partition = ${partition}
        and s.digest is not null`.execute(trx);
  }
  await trx
    .updateTable('projection_positions')
    .set({ digested_sequence: position.finding_sequence })
    .where('partition', '=', partition)
    .execute();
}
