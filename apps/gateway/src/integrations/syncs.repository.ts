import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';

/** A sync, from its request on; times are epoch ms. */
export interface SyncRow {
  id: string;
  integrationId: string;
  action: string;
  isFull: boolean;
  requestedBy: string | null;
  requestedAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  stage: string;
  percent: number;
  status: 0 | 1 | 2 | 3;
  counts: unknown;
  errors: unknown;
  /** Which repetition of a scheduled sync that failed; 0: none. */
  retry: number;
  cancelRequestedBy: string | null;
  endReason: string | null;
  uploads: number;
  /** How many of these are in `outcome`. */
  counted: number;
  /** Of the part that is folded so far; null: nothing yet. */
  outcome: unknown;
}

/** A sync that a user asks for. */
export type SyncRequest = Pick<SyncRow, 'id' | 'integrationId' | 'isFull' | 'requestedAt'> & {
  requestedBy: string;
};

/** The syncs that collectors run, and their results. */
@Injectable()
export class SyncsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Returns false if a sync of the integration is unfinished (R-INT-4). */
  async add({ id, integrationId, isFull, requestedBy, requestedAt }: SyncRequest): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('syncs')
      .values({
        id,
        integration_id: integrationId,
        action: 'manual',
        is_full: isFull,
        requested_by: requestedBy,
        requested_at: new Date(requestedAt),
        stage: 'QUEUED',
        status: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /**
   * Asks for the end of the unfinished sync of an integration, which a collector causes; the first who asks is kept.
   * Returns its id; null if there is none.
   */
  async cancel(integrationId: string, user: string): Promise<string | null> {
    const row = await this.db
      .updateTable('syncs')
      .set({
        cancel_requested_at: sql`coalesce(cancel_requested_at, now())`,
        cancel_requested_by: sql`coalesce(cancel_requested_by, ${user})`,
      })
      .where('integration_id', '=', integrationId)
      .where('stage', 'in', ['QUEUED', 'TRANSFORMING'])
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  async isUnfinished(integrationId: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('syncs')
      .select('id')
      .where('integration_id', '=', integrationId)
      .where('stage', 'in', ['QUEUED', 'TRANSFORMING'])
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The newest of each integration, by the integration's id. */
  async last(integrationIds: string[]): Promise<Map<string, SyncRow>> {
    if (integrationIds.length === 0) return new Map();
    const rows = await this.rows()
      .distinctOn('integration_id')
      .where('integration_id', 'in', integrationIds)
      .orderBy('integration_id')
      .orderBy('requested_at', 'desc')
      .orderBy('id')
      .execute();
    return new Map(rows.map((row) => [row.integrationId, row]));
  }

  /** Newest first. @param after time and id of the last one before them */
  list(integrationId: string, after: [number, string] | null, limit: number): Promise<SyncRow[]> {
    return this.rows()
      .where('integration_id', '=', integrationId)
      .$if(after !== null, (query) =>
        query.where(
          sql<SqlBool>`requested_at <= ${instant(after![0])}
            and (requested_at < ${instant(after![0])} or id > ${after![1]}::uuid)`,
        ),
      )
      .orderBy('requested_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  private rows() {
    return this.db
      .selectFrom('syncs')
      .select([
        'id',
        'integration_id as integrationId',
        'action',
        'is_full as isFull',
        'requested_by as requestedBy',
        'requested_at as requestedAt',
        'started_at as startedAt',
        'finished_at as finishedAt',
        'stage',
        'percent',
        'status',
        'counts',
        'errors',
        'retry',
        'cancel_requested_by as cancelRequestedBy',
        'end_reason as endReason',
        'uploads',
        'counted',
        'outcome',
      ]);
  }
}
