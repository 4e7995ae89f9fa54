import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type ChoiceTimeline, choiceAt, type ScoringChoice } from '#libs/domain';
import { readChoices } from '#libs/scores';

/** The models that were in force. */
@Injectable()
export class ScoringChoices {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  timeline(): Promise<ChoiceTimeline> {
    return readChoices(this.db);
  }

  /** @param past epoch milliseconds; null for the present */
  async at(past: number | null): Promise<ScoringChoice> {
    return choiceAt(await this.timeline(), past ?? Number.POSITIVE_INFINITY);
  }
}
