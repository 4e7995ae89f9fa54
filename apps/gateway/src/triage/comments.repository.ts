import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { COMMENTED_ACTION } from '#libs/domain';
import { belongedToVisibleAfter, type RowLimits, seesAllRows } from '#libs/tables';

export interface CommentRow {
  /**
   * Counts the visible comments of the finding, from 1: an offset of the log would count the events of all assets, and
   * numbers with gaps the hidden comments.
   */
  number: number;
  at: number;
  user: string | null;
  detail: { text: string; mentions: string[] };
}

@Injectable()
export class CommentsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Oldest first, after a number. Limited callers see comments on a finding that was visible after the comment, as in the
   * audit trail.
   * @param until epoch ms; null: all
   */
  async list(
    findingId: string,
    { after, until, limit }: { after: number; until: number | null; limit: number },
    visible: RowLimits,
  ): Promise<CommentRow[]> {
    const isKnown = until === null ? sql`true` : sql`at <= ${instant(until)}`;
    // With the partition: PostgreSQL that is divided over machines joins by it.
    const finding = seesAllRows(visible)
      ? sql``
      : sql`join findings f on f.id = ${findingId}::uuid and f.partition = acts.partition`;
    const conditions = [
      sql`acts.target = ${findingId} and acts.action = ${COMMENTED_ACTION} and acts.refused is null`,
      ...belongedToVisibleAfter(visible, 'f', sql.ref('acts.log_offset')),
    ];
    const { rows } = await sql<CommentRow>`
      select * from (
        select row_number() over (order by acts.log_offset)::int as number,
               acts.at, acts.by_user as user, acts.detail
          from acts ${finding} where ${sql.join(conditions, sql` and `)}) comments
       where number > ${after}::bigint and ${isKnown}
       order by number limit ${limit}`.execute(this.db);
    return rows;
  }

  /** Those of the names that are users with an account: a credential, or a user of an identity provider. */
  async usersAmong(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const { rows } = await sql<{ name: string }>`
      select username as name from credentials where username = any(${names}::text[])
      union select name from users where name = any(${names}::text[])`.execute(this.db);
    return new Set(rows.map(({ name }) => name));
  }
}
