import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { catalogueName } from '#libs/catalogue-store';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { isoTimeOrNull, type ScoringChoice } from '#libs/domain';
import { type RowLimits, seesAllRows } from '#libs/tables';

/** The time of scores, and the versions that they were computed with. */
export interface ScoredAt {
  /** null if nothing was computed yet. */
  at: string | null;
  model: string;
  catalogue: string;
}

@Injectable()
export class ScoredInstants {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param past epoch milliseconds; null for the present: the time of the last score change, and the catalogues in
   *   force now
   * @param visible limited callers get the present instead of the last change, which may belong to another asset
   * @param choice in force then
   */
  async scoredAt(past: number | null, { model }: ScoringChoice, visible: RowLimits): Promise<ScoredAt> {
    const present = () => (seesAllRows(visible) ? this.lastChange() : this.clock());
    return {
      at: isoTimeOrNull(past ?? (await present())),
      model,
      catalogue: await catalogueName(this.db, past ?? this.clock()),
    };
  }

  /** Both ends of the history are looked up in an index. */
  private async lastChange(): Promise<number | null> {
    const { rows } = await sql<{ at: number | null }>`
      select greatest((select max(valid_from) from score_history),
                      (select max(valid_to) from score_history where valid_to < 'infinity')) as at`.execute(
      this.db,
    );
    return rows[0]!.at;
  }
}
