import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type OwnerRule } from '#libs/domain';
import { type AssetPlace, ruledRow, ruleOf } from '#libs/tables';
import type { NotifyingAct } from './who-is-notified.ts';

/** An act of the audit trail; names as they are stored. */
export interface ActRow extends NotifyingAct {
  logOffset: number;
  at: number;
  target: string;
  requestId: string | null;
  isRefused: boolean;
}

/** A finding that was acted on, as it is now. */
export interface ActedFindingRow extends AssetPlace {
  id: string;
  /** Key of the assignee that a user has chosen (`assigneeKey`). */
  assignee: string | null;
  /** Place of the first owner rule that matches its asset. */
  rule: number | null;
}

/** Reads the audit trail in the order of the log; a transaction of Kysely will do for a database. */
@Injectable()
export class AuditReadingRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Partitions with acts that were not read, and when somebody's due dates are to be looked at next (epoch ms; null: nobody's);
   * in one query.
   */
  async work(): Promise<{ partitions: number[]; nextCheckAt: number | null }> {
    const { rows } = await sql<{ partitions: number[]; next_check_at: number | null }>`
      select array(
               select p.partition from projection_positions p left join notification_positions n using (partition)
                where exists (select from acts a
                               where a.partition = p.partition and a.log_offset > coalesce(n.log_offset, -1))
             ) as partitions,
             (select min(next_check_at) from notification_people) as next_check_at`.execute(this.db);
    const [{ partitions, next_check_at: nextCheckAt }] = rows as [(typeof rows)[number]];
    return { partitions, nextCheckAt };
  }

  /** The position in a partition; undefined while another session reads it. In a transaction. */
  async lock(partition: number): Promise<number | undefined> {
    await this.db
      .insertInto('notification_positions')
      .values({ partition, log_offset: -1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await this.db
      .selectFrom('notification_positions')
      .select('log_offset')
      .where('partition', '=', partition)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    return row?.log_offset;
  }

  async setPosition(partition: number, logOffset: number): Promise<void> {
    await this.db
      .updateTable('notification_positions')
      .set({ log_offset: logOffset })
      .where('partition', '=', partition)
      .execute();
  }

  /** In the order of the log. */
  read(partition: number, after: number, limit: number): Promise<ActRow[]> {
    return this.db
      .selectFrom('acts')
      .select(['log_offset as logOffset', 'at', 'by_user as user', 'action', 'target'])
      .select(['request_id as requestId', sql<NotifyingAct['detail']>`detail`.as('detail')])
      .select(sql<boolean>`refused is not null`.as('isRefused'))
      .where('partition', '=', partition)
      .where('log_offset', '>', after)
      .orderBy('log_offset')
      .limit(limit)
      .execute();
  }

  async findings(ids: readonly string[], rules: readonly OwnerRule[]): Promise<ActedFindingRow[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<ActedFindingRow>`
      select f.id, f.assignee, a.department, a.location, ${ruleOf(rules, ruledRow('a'))} as rule
        from findings f join assets a using (partition, asset_no)
       where f.id = any(${[...ids]}::uuid[])`.execute(this.db);
    return rows;
  }
}
