import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { ChangeTopic } from '#libs/contracts';
import { DATABASE, type Schema } from '#libs/database';

/** How far the change topics are followed. */
@Injectable()
export class ScorerPositions {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The offset to take next; 0 where nothing was followed yet. */
  async read(topic: ChangeTopic, partition: number): Promise<number> {
    const row = await this.db
      .selectFrom('scorer_positions')
      .select('next_offset')
      .where('topic', '=', topic)
      .where('partition', '=', partition)
      .executeTakeFirst();
    return row?.next_offset ?? 0;
  }

  async move(topic: ChangeTopic, partition: number, nextOffset: number): Promise<void> {
    await this.db
      .insertInto('scorer_positions')
      .values({ topic, partition, next_offset: nextOffset })
      .onConflict((conflict) =>
        conflict.columns(['topic', 'partition']).doUpdateSet({ next_offset: nextOffset }),
      )
      .execute();
  }
}
