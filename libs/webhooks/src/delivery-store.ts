import { type Kysely, sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { Answer, Delivery, Pause, Webhook } from './webhook.ts';
import { deliveryRows, webhookRows } from './webhook-rows.ts';

/** A webhook with the delivery that is on its way. */
export interface Task {
  webhook: Webhook;
  pending: Delivery | null;
}

export interface DueWebhook extends Pick<Webhook, 'id' | 'version' | 'kind' | 'position'> {
  /** Id of the delivery that is on its way; null: there is none. */
  pending: string | null;
}

/** Why a delivery was not accepted, when, and what comes next: an instant, epoch ms, or a pause. */
export interface Failure {
  answer: Answer;
  at: number;
  next: number | Pause;
  /** Whether it brings the webhook closer to its pause. */
  isCounted: boolean;
  /** Whether part of the work is done: the attempts until then no longer count. */
  hasProgress: boolean;
}

/** A delivery to send. */
export type NewDelivery = Pick<Delivery, 'id' | 'to' | 'changes' | 'bytes' | 'createdAt'>;

/**
 * Reads and writes of deliverers. Every write first locks the webhook's row, as those of users do: so there are no
 * deadlocks, and each sees the result of the previous one.
 */
export class DeliveryStore {
  constructor(private readonly db: Kysely<Schema>) {}

  /** Those that may have something to deliver at an instant: enabled, and not waiting for their next attempt. */
  async due(now: number): Promise<DueWebhook[]> {
    return this.db
      .selectFrom('webhooks')
      .leftJoin('webhook_deliveries as pending', (join) =>
        join.onRef('pending.webhook_id', '=', 'webhooks.id').on('pending.status', '=', 'pending'),
      )
      .select(['webhooks.id', 'webhooks.version', 'webhooks.position', 'pending.id as pending'])
      .select(sql<Webhook['kind']>`webhooks.kind`.as('kind'))
      .where('webhooks.enabled', '=', true)
      .where(({ eb, or }) =>
        or([eb('pending.next_attempt_at', 'is', null), eb('pending.next_attempt_at', '<=', instant(now))]),
      )
      .orderBy('webhooks.id')
      .execute();
  }

  /** Null if there is no such webhook, or it is paused. */
  async task(webhookId: string): Promise<Task | null> {
    const webhook = await webhookRows(this.db)
      .where('id', '=', webhookId)
      .where('enabled', '=', true)
      .executeTakeFirst();
    if (!webhook) return null;
    const pending = await deliveryRows(this.db)
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    return { webhook, pending: pending ?? null };
  }

  /** Called before anything is sent, so that it has its id after any failure. False if the webhook has changed. */
  begin(webhook: Webhook, { id, to, changes, bytes, createdAt }: NewDelivery): Promise<boolean> {
    return this.whileUnchanged(webhook, async (trx) => {
      await trx
        .insertInto('webhook_deliveries')
        .values({
          id,
          webhook_id: webhook.id,
          status: 'pending',
          from_position: webhook.position,
          to_position: to,
          changes,
          bytes,
          created_at: new Date(createdAt),
        })
        .execute();
    });
  }

  /**
   * Called before it is sent again: what cannot be written is not sent. False if the webhook has changed or is paused,
   * or the delivery was superseded.
   * @param next epoch ms: the earliest attempt after it if the outcome of this one cannot be written
   */
  again({ id: webhookId, version }: Webhook, { id }: Delivery, at: number, next: number): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const now = await lock(trx, webhookId);
      if (!now?.enabled || now.version !== version) return false;
      const { numUpdatedRows } = await trx
        .updateTable('webhook_deliveries')
        .set({ last_attempt_at: new Date(at), next_attempt_at: new Date(next) })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  /** Nothing up to there is delivered. False if the webhook is another by now. */
  passOver(webhook: Webhook, to: string): Promise<boolean> {
    return this.whileUnchanged(webhook, (trx) => moveTo(trx, webhook.id, to));
  }

  /** It was accepted: the position advances to the delivery's end. False if it was superseded. */
  async delivered({ id, webhookId, to }: Delivery, answer: Answer, at: number): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      await lock(trx, webhookId);
      const { numUpdatedRows } = await trx
        .updateTable('webhook_deliveries')
        .set({
          ...answered(answer, at),
          ...counted(at),
          status: 'delivered',
          next_attempt_at: null,
          finished_at: new Date(at),
        })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await moveTo(trx, webhookId, to);
      return true;
    });
  }

  /**
   * It was not accepted: it is sent again at an instant, or, if there is a reason to, its webhook is paused. False if
   * the webhook has changed: the response is stored, but has no effect.
   */
  async failed(
    { id: webhookId, version }: Webhook,
    { id }: Delivery,
    { answer, at, next, isCounted, hasProgress }: Failure,
  ): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const isSame = (await lock(trx, webhookId))?.version === version;
      await trx
        .updateTable('webhook_deliveries')
        .set({
          ...answered(answer, at),
          ...(isSame && isCounted && counted(at)),
          ...(isSame && hasProgress && UNCOUNTED),
          ...(isSame && { next_attempt_at: typeof next === 'number' ? new Date(next) : null }),
        })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .execute();
      if (isSame && typeof next !== 'number') await pause(trx, webhookId, next);
      return isSame;
    });
  }

  /** It cannot continue without a user. False if the webhook is another by now. */
  pause(webhook: Webhook, why: Pause): Promise<boolean> {
    return this.whileUnchanged(webhook, (trx) => pause(trx, webhook.id, why));
  }

  /** Removes deliveries that ended before an instant, some thousand of them; returns how many. */
  async prune(before: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries
        where status <> 'pending' and finished_at < ${instant(before)}
        limit ${PRUNED_AT_ONCE}
      )`.execute(this.db);
    return Number(numAffectedRows);
  }

  private whileUnchanged(
    { id, version, position }: Webhook,
    work: (trx: Transaction<Schema>) => Promise<void>,
  ): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const now = await lock(trx, id);
      if (!now?.enabled || now.version !== version || now.position !== position) return false;
      await work(trx);
      return true;
    });
  }
}

const PRUNED_AT_ONCE = 5_000;

const lock = (trx: Transaction<Schema>, webhookId: string) =>
  trx
    .selectFrom('webhooks')
    .select(['enabled', 'version', 'position'])
    .where('id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst();

async function moveTo(trx: Transaction<Schema>, webhookId: string, position: string): Promise<void> {
  await trx.updateTable('webhooks').set({ position }).where('id', '=', webhookId).execute();
}

async function pause(trx: Transaction<Schema>, webhookId: string, why: Pause): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ enabled: false, paused: JSON.stringify(why) })
    .where('id', '=', webhookId)
    .where('enabled', '=', true)
    .execute();
}

const answered = (answer: Answer, at: number) => ({
  last_attempt_at: new Date(at),
  answer: JSON.stringify(answer),
});

const UNCOUNTED = { attempts: 0, first_attempt_at: null };

const counted = (at: number) => ({
  attempts: sql<number>`attempts + 1`,
  first_attempt_at: sql<Date>`coalesce(first_attempt_at, ${instant(at)})`,
});
