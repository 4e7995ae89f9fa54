import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { insertReceipts, type UploadReceipt } from '../signals/receipts.repository.ts';

/** How far each partition of the inbox is read. */
@Injectable()
export class InboxPositions {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The next offset to read; null before the first. */
  async find(partition: number): Promise<number | null> {
    const row = await this.db
      .selectFrom('inbox_positions')
      .select('next_offset')
      .where('partition', '=', partition)
      .executeTakeFirst();
    return row?.next_offset ?? null;
  }

  /** Sets the position to an offset that the topic has, if it is still `from`. */
  async reset(partition: number, from: number | null, to: number): Promise<void> {
    await this.db
      .insertInto('inbox_positions')
      .values({ partition, next_offset: to })
      .onConflict((conflict) =>
        conflict
          .column('partition')
          .doUpdateSet({ next_offset: to })
          .where('inbox_positions.next_offset', '=', from ?? to),
      )
      .execute();
  }

  /**
   * Moves the position, and stores the receipts of the uploads up to it. A crash of the database takes back both
   * together: then the records are read again.
   * Returns false, and stores nothing, if another gateway has moved it.
   */
  async advance(partition: number, from: number, to: number, receipts: UploadReceipt[]): Promise<boolean> {
    return this.db.transaction().execute(async (transaction) => {
      const { numAffectedRows } = await sql`
        update inbox_positions set next_offset = ${to} from set_config('synchronous_commit', 'off', true)
        where partition = ${partition} and next_offset = ${from}`.execute(transaction);
      if (numAffectedRows !== 1n) return false;
      await insertReceipts(transaction, receipts);
      return true;
    });
  }
}
