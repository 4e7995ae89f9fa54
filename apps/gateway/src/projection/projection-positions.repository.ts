import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';

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

  /** Whether nothing later than an instant is folded: the present rows are those of the instant. */
  async areUpTo(at: number): Promise<boolean> {
    const { rows } = await sql<{ later: boolean }>`
      select exists (select 1 from projection_positions where clock > ${instant(at)}) as later`.execute(
      this.db,
    );
    return !rows[0]!.later;
  }
}
