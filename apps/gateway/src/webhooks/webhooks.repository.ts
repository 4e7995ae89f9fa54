import { Inject, Injectable } from '@nestjs/common';
import type { Kysely, Updateable } from 'kysely';
import { DATABASE, lockByName, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { type Delivery, deliveryRows, type SealedSecrets, type Webhook, webhookRows } from '#libs/webhooks';
import { isWithinRows } from '../auth/granted-rows.ts';
import { isOlder } from '../paging/is-older.ts';

/** A webhook with the state of its secrets. */
export interface WebhookRow extends Webhook {
  /** Until when the previous secrets sign too, epoch ms; null: there were none. */
  previousUntil: number | null;
}

/** A new one, with its sealed secret. */
export type NewWebhook = Omit<WebhookRow, 'version' | 'previousUntil'> & { secret: string };

/** Webhooks as users see and change them; a transaction of Kysely will do for a database. */
@Injectable()
export class WebhooksRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Newest first. @param after time and id of the last one before them */
  list(visible: RowLimits, after: [number, string] | null, limit: number): Promise<WebhookRow[]> {
    return this.rows()
      .where(isWithinRows(visible))
      .$if(after !== null, (query) => query.where(isOlder(after!)))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** If it shows no more rows than the visible ones. */
  find(id: string, visible: RowLimits): Promise<WebhookRow | undefined> {
    return this.rows().where('id', '=', id).where(isWithinRows(visible)).executeTakeFirst();
  }

  /** As `find`. No other session changes it before the transaction ends, including deliverers. */
  lock(id: string, visible: RowLimits): Promise<WebhookRow | undefined> {
    return this.rows().where('id', '=', id).where(isWithinRows(visible)).forUpdate().executeTakeFirst();
  }

  /** Others who add a webhook wait until the end of the transaction. */
  async lockCount(): Promise<void> {
    await lockByName(this.db, 'webhooks');
  }

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async add({
    departments,
    locations,
    createdAt,
    updatedAt,
    filter,
    options,
    paused,
    ...webhook
  }: NewWebhook): Promise<void> {
    await this.db
      .insertInto('webhooks')
      .values({
        ...webhook,
        departments: departments && [...departments],
        locations: locations && [...locations],
        filter: JSON.stringify(filter),
        options: JSON.stringify(options),
        paused: paused && JSON.stringify(paused),
        created_at: new Date(createdAt),
        updated_at: new Date(updatedAt),
      })
      .execute();
  }

  /** Counts the change. The row is locked. */
  async change(id: string, columns: Updateable<Schema['webhooks']>, at: number): Promise<void> {
    await this.db
      .updateTable('webhooks')
      .set(({ eb }) => ({ ...columns, version: eb('version', '+', 1), updated_at: new Date(at) }))
      .where('id', '=', id)
      .execute();
  }

  /** The new secret is used at once, and the current one is gone. The row is locked. */
  async replaceSecret(id: string, secret: string, url: string, at: number): Promise<void> {
    await this.change(id, { secret, url }, at);
  }

  /** The previous secrets also sign until then, in addition to the new one. The row is locked. */
  async rotate(
    id: string,
    secret: string,
    previous: string | null,
    until: number,
    at: number,
  ): Promise<void> {
    const ends = { previous_secret: previous, previous_until: previous === null ? null : new Date(until) };
    await this.change(id, { secret, ...ends }, at);
  }

  secretsOf(id: string): Promise<SealedSecrets> {
    return this.db
      .selectFrom('webhooks')
      .select(['secret', 'previous_secret', 'previous_until'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }

  /** Its deliveries go with it. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('webhooks').where('id', '=', id).execute();
  }

  /** Pending deliveries are not sent again: their changes are determined again. The webhook's row is locked. */
  async supersede(webhookId: string, at: number): Promise<void> {
    await this.db
      .updateTable('webhook_deliveries')
      .set({ status: 'superseded', next_attempt_at: null, finished_at: new Date(at) })
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .execute();
  }

  /** Pending deliveries are tried at once, with the retries of new ones. The webhook's row is locked. */
  async tryAnew(webhookId: string): Promise<void> {
    await this.db
      .updateTable('webhook_deliveries')
      .set({ attempts: 0, first_attempt_at: null, next_attempt_at: null })
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .execute();
  }

  /** Newest first. @param after time and id of the last one before them */
  deliveries(webhookId: string, after: [number, string] | null, limit: number): Promise<Delivery[]> {
    return deliveryRows(this.db)
      .where('webhook_id', '=', webhookId)
      .$if(after !== null, (query) => query.where(isOlder(after!)))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  private rows() {
    return webhookRows(this.db).select('previous_until as previousUntil');
  }
}
