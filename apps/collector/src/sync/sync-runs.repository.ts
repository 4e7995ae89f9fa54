import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql, type Updateable } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { PullFailure } from '#libs/integrations';
import { type EndReason, KEPT } from './sync-interrupted.ts';

/** A sync to run. */
export interface SyncTask {
  id: string;
  integrationId: string;
  /** On request: pulls everything. */
  isFull: boolean;
  requestedBy: string | null;
}

/** State of a sync. */
export interface SyncState {
  /** Of the stage. */
  percent: number;
  counts: Record<string, unknown>;
  errors: PullFailure[];
  watermark: string | null;
  /** Uploads so far: pages that brought signals, and what ended before them (R-SRC-6). */
  uploads: number;
}

/** How a sync ended (R-INT-3): 0 Success, 2 Error, 3 Partial Success. */
export interface SyncEnd extends SyncState {
  stage: 'COMPLETED' | 'ERROR';
  status: 0 | 2 | 3;
  /** null: it was not cut off, or it failed. */
  endReason: EndReason | null;
}

interface Reached {
  /** A full sync has ended with Success. */
  hasFull: boolean;
  /** When the last full one was requested, in epoch milliseconds; null: none was. */
  lastFullAt: number | null;
  /** The last sync ended with Success: there is nothing to resume. */
  isUpToDate: boolean;
  watermark: string | null;
}

/** Another collector has ended the sync: it took this one for dead. */
export class SyncTakenOverError extends Error {
  override name = 'SyncTakenOverError';

  constructor() {
    super('another collector has taken over');
  }
}

/** The rows of syncs: requested by gateways and by the schedule, run by the one collector that holds the lock. */
@Injectable()
export class SyncRunsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The sync that waits longest, now TRANSFORMING; undefined if none waits. */
  async take(now: number): Promise<SyncTask | undefined> {
    const row = await this.db
      .updateTable('syncs')
      .set({ stage: 'TRANSFORMING', started_at: new Date(now), percent: 0 })
      .where('id', '=', (query) =>
        query
          .selectFrom('syncs')
          .select('id')
          .where('stage', '=', 'QUEUED')
          .orderBy('requested_at')
          .orderBy('id')
          .limit(1),
      )
      .where('stage', '=', 'QUEUED')
      .returning(['id', 'integration_id', 'is_full', 'requested_by'])
      .executeTakeFirst();
    if (!row) return undefined;
    const { id, integration_id: integrationId, is_full: isFull, requested_by: requestedBy } = row;
    return { id, integrationId, isFull, requestedBy };
  }

  /**
   * The start of a sync: a connector's watermark; null pulls everything. Until a full sync of the same scope has ended
   * with Success since the scope changed there is no delta (R-INT-5): the sync continues an interrupted one. A sync that pulls everything is
   * full, requested or not: the records that a partial success misses are unknown.
   * @param scope its source, and the selected part of it
   * @param fullSince epoch milliseconds: if no full sync was requested since then, and the last sync ended with Success,
   * it pulls everything
   */
  async begin(
    { id, integrationId, isFull }: SyncTask,
    scope: string,
    fullSince: number,
  ): Promise<string | null> {
    const { hasFull, lastFullAt, isUpToDate, watermark } = await this.reached(integrationId, scope);
    const isDue = isUpToDate && lastFullAt !== null && lastFullAt < fullSince;
    const since = isFull || isDue ? null : watermark;
    await this.write(id, { scope, is_full: since === null || !hasFull });
    return since;
  }

  async note(id: string, state: SyncState): Promise<void> {
    await this.write(id, columnsOf(state));
  }

  async end(id: string, end: SyncEnd, now: number): Promise<void> {
    const { stage, status, endReason } = end;
    await this.write(id, {
      ...columnsOf(end),
      stage,
      status,
      end_reason: endReason,
      finished_at: new Date(now),
    });
  }

  /** Name of the user who cancelled it; null if not cancelled. */
  async cancelRequestedBy(id: string): Promise<string | null> {
    const row = await this.db
      .selectFrom('syncs')
      .select('cancel_requested_by')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.cancel_requested_by ?? null;
  }

  /** Ends queued syncs that were cancelled; returns how many. */
  async endCancelled(now: number): Promise<number> {
    const rows = await this.db
      .updateTable('syncs')
      .set({
        stage: 'ERROR',
        status: 2,
        end_reason: 'cancelled',
        finished_at: new Date(now),
        errors: sql`jsonb_build_array(jsonb_build_object(
          'what', 'sync', 'message', 'cancelled by ' || cancel_requested_by || ' before it began'))`,
      })
      .where('stage', '=', 'QUEUED')
      .where('cancel_requested_at', 'is not', null)
      .returning('id')
      .execute();
    return rows.length;
  }

  /** Ends the syncs that a crash has interrupted; returns how many. Only the holder of the lock may call it. */
  async endInterrupted(now: number): Promise<number> {
    const cause = { what: 'sync', message: `the collector stopped during the sync: ${KEPT}` };
    const rows = await this.db
      .updateTable('syncs')
      .set({
        stage: 'ERROR',
        status: 2,
        end_reason: sql`case when cancel_requested_at is null then 'interrupted' else 'cancelled' end`,
        finished_at: new Date(now),
        errors: sql`${JSON.stringify([cause])}::jsonb || errors`,
      })
      .where('stage', '=', 'TRANSFORMING')
      .returning('id')
      .execute();
    return rows.length;
  }

  /** Asks for a sync unless one is unfinished. */
  async request(
    integrationId: string,
    { action, retry = 0 }: { action: 'scheduled' | 'catchUp'; retry?: number },
    now: number,
  ): Promise<void> {
    await this.db
      .insertInto('syncs')
      .values({
        id: randomUUID(),
        integration_id: integrationId,
        action,
        retry,
        is_full: false,
        requested_by: null,
        requested_at: new Date(now),
        stage: 'QUEUED',
        status: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** @throws Error if the sync was ended by another collector, which runs in place of this one */
  private async write(id: string, columns: Updateable<Schema['syncs']>): Promise<void> {
    const { numUpdatedRows } = await this.db
      .updateTable('syncs')
      .set(columns)
      .where('id', '=', id)
      .where('stage', '=', 'TRANSFORMING')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new SyncTakenOverError();
  }

  /**
   * Of the syncs since the last one of another scope: a full sync of that one may have ended what earlier syncs described.
   * A full sync that failed before it had a watermark has no effect: one that was due stays due. The records that a partly
   * successful one misses are unknown: the next one begins again.
   */
  private async reached(integrationId: string, scope: string): Promise<Reached> {
    const { rows } = await sql<Reached>`
      with ended as (
        select *, is_full and stage = 'COMPLETED' and status = 3 as is_partly_full from syncs
        where integration_id = ${integrationId} and scope = ${scope} and finished_at is not null
          and not (is_full and status = 2 and watermark is null)
          and requested_at > coalesce((select max(requested_at) from syncs
                where integration_id = ${integrationId} and scope <> ${scope}), '-infinity')
      )
      select exists (select from ended where is_full and status = 0) as "hasFull",
             (select max(requested_at) from ended where is_full) as "lastFullAt",
             coalesce((select status = 0 from ended order by requested_at desc, id limit 1), false) as "isUpToDate",
             (select case when is_partly_full then null else watermark end
                from ended where watermark is not null or is_partly_full
               order by requested_at desc, id limit 1) as watermark`.execute(this.db);
    return rows[0]!;
  }
}

const columnsOf = ({ percent, counts, errors, watermark, uploads }: SyncState) => ({
  percent,
  uploads,
  counts: JSON.stringify(counts),
  errors: JSON.stringify(errors),
  watermark,
});
