import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';

@Injectable()
export class ProjectionPositions {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Partition → the offset that its fold takes next. */
  async read(): Promise<Map<number, number>> {
    const rows = await this.db
      .selectFrom('projection_positions')
      .select(['partition', 'next_offset'])
      .execute();
    return new Map(rows.map(({ partition, next_offset }) => [partition, next_offset]));
  }
}
