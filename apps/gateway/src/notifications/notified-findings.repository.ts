import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { Look } from './look.ts';
import type { DueKind } from './notification.ts';

/** What the last look found for each person; a transaction of Kysely will do for a database. */
@Injectable()
export class NotifiedFindingsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Kinds that the last look did not look at have none. */
  async of(personId: string): Promise<Map<DueKind, Look<string>>> {
    const rows = await this.db
      .selectFrom('notified_findings')
      .select(['kind', 'finding_ids as findings', 'is_whole as isWhole'])
      .where('person_id', '=', personId)
      .execute();
    return new Map(rows.map(({ kind, ...look }) => [kind, look]));
  }

  async replace(personId: string, looks: readonly { kind: DueKind; look: Look }[]): Promise<void> {
    await this.db.deleteFrom('notified_findings').where('person_id', '=', personId).execute();
    if (looks.length === 0) return;
    await this.db
      .insertInto('notified_findings')
      .values(
        looks.map(({ kind, look: { findings, isWhole } }) => ({
          ...{ person_id: personId, kind, is_whole: isWhole },
          finding_ids: findings.map(({ id }) => id),
        })),
      )
      .execute();
  }
}
