import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { READ_DATABASE, type Schema } from '#libs/database';
import type { Act } from '#libs/domain';
import type { Position } from '#libs/event-log';

/** Outcome of a folded act. */
interface FoldedAct {
  partition: number;
  logOffset: number;
  refused: Act['refused'];
}

@Injectable()
export class ActsRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** Outcome of the acts at these positions; acts that are not folded yet are absent. */
  async outcomesAt(positions: Position[]): Promise<FoldedAct[]> {
    const { rows } = await sql<FoldedAct>`
      select partition, log_offset as "logOffset", refused
      from unnest(
        ${positions.map(({ partition }) => partition)}::int[],
        ${positions.map(({ offset }) => offset)}::bigint[]
      ) as t (partition, log_offset)
      join acts using (partition, log_offset)`.execute(this.db);
    return rows;
  }
}
