import { type Kysely, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { RemoteTicket } from './ticket-system.ts';

/** The ticket of a finding, as the service knows it; times are epoch ms. */
export interface Ticket {
  /** `opening`: requested, and perhaps created. */
  state: 'opening' | 'open' | 'closed';
  key: string | null;
  url: string | null;
  /** When it was last requested, also again. */
  openedAt: number;
  /** When the row last changed; while `opening`, when the ticket was last requested. */
  changedAt: number;
}

/** Closed tickets are forgotten after it: a finding that fails again later gets a new one. */
const CLOSED_KEPT_MS = 400 * 24 * 60 * 60_000;
const FORGOTTEN_AT_ONCE = 5_000;

/** The rows of `webhook_tickets`. */
export class TicketStore {
  constructor(private readonly db: Kysely<Schema>) {}

  async find(webhookId: string, findingId: string): Promise<Ticket | undefined> {
    return this.db
      .selectFrom('webhook_tickets')
      .select(['state', 'key', 'url', 'opened_at as openedAt', 'changed_at as changedAt'])
      .where('webhook_id', '=', webhookId)
      .where('finding_id', '=', findingId)
      .executeTakeFirst();
  }

  /** Called before a ticket is opened, so that it is known after any failure. A known key is kept. */
  async begin(webhookId: string, findingId: string, at: number): Promise<void> {
    const times = { opened_at: new Date(at), changed_at: new Date(at) };
    await this.db
      .insertInto('webhook_tickets')
      .values({ webhook_id: webhookId, finding_id: findingId, state: 'opening', ...times })
      .onConflict((conflict) =>
        conflict.columns(['webhook_id', 'finding_id']).doUpdateSet({ state: 'opening', ...times }),
      )
      .execute();
  }

  /** It is requested again, because the result of the last request is not known. */
  async requested(webhookId: string, findingId: string, at: number): Promise<void> {
    await this.change(webhookId, findingId, {}, at);
  }

  /** It exists at the other system. */
  async named(webhookId: string, findingId: string, { key, url }: RemoteTicket, at: number): Promise<void> {
    await this.change(webhookId, findingId, { key, url }, at);
  }

  /** It exists, and its link is in the log. */
  async opened(webhookId: string, findingId: string, at: number): Promise<void> {
    await this.change(webhookId, findingId, { state: 'open' }, at);
  }

  async closed(webhookId: string, findingId: string, at: number): Promise<void> {
    await this.change(webhookId, findingId, { state: 'closed' }, at);
  }

  async forget(webhookId: string, findingId: string): Promise<void> {
    await this.db
      .deleteFrom('webhook_tickets')
      .where('webhook_id', '=', webhookId)
      .where('finding_id', '=', findingId)
      .execute();
  }

  /** How many were opened since an instant, and the first of these instants. */
  async openedSince(webhookId: string, since: number): Promise<{ count: number; first: number | null }> {
    const { count, first } = await this.db
      .selectFrom('webhook_tickets')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('opened_at').as('first')])
      .where('webhook_id', '=', webhookId)
      .where('opened_at', '>', instant(since))
      .executeTakeFirstOrThrow();
    return { count, first: first as number | null };
  }

  /** Forgets some thousand old closed tickets. @param now epoch ms */
  async prune(now: number): Promise<void> {
    await sql`
      delete from webhook_tickets where (webhook_id, finding_id) in (
        select webhook_id, finding_id from webhook_tickets
        where state = 'closed' and changed_at < ${instant(now - CLOSED_KEPT_MS)}
        limit ${FORGOTTEN_AT_ONCE}
      )`.execute(this.db);
  }

  private async change(
    webhookId: string,
    findingId: string,
    columns: Partial<Pick<Ticket, 'state' | 'key' | 'url'>>,
    at: number,
  ): Promise<void> {
    await this.db
      .updateTable('webhook_tickets')
      .set({ ...columns, changed_at: new Date(at) })
      .where('webhook_id', '=', webhookId)
      .where('finding_id', '=', findingId)
      .execute();
  }
}
