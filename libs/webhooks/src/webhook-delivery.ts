import { randomInt, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import { type ChangeCursor, type CursorSeal, formatCursor, HistoryGapError } from '#libs/changes';
import type { Clock } from '#libs/config';
import type { Schema } from '#libs/database';
import type { Egress } from '#libs/egress';
import { seesAllRows } from '#libs/tables';
import { webhookAttempts } from '#libs/telemetry';
import { deliveryBody, type PlacedChange } from './delivery-body.ts';
import type { DeliveryStore } from './delivery-store.ts';
import {
  DELIVERY_BOUNDS,
  type DeliveryBounds,
  type Gathering,
  gather,
  type ReadChanges,
  TICKET_BOUNDS,
  WITHOUT_BOUNDS,
} from './gather.ts';
import { placeOf } from './position.ts';
import { readAll, readVisible } from './read-deliverable.ts';
import { isExhausted, RETRY_POLICY, type RetryPolicy, retryDelayMs } from './retry.ts';
import { scoredHeads } from './scored-heads.ts';
import { type Sent, send } from './send.ts';
import { ticketsOutsideFilter } from './tickets/findings-to-keep.ts';
import { keepTickets, type TicketParts, type TicketWork } from './tickets/keep-tickets.ts';
import { isTicketKind } from './tickets/ticket-kinds.ts';
import type { Delivery, Pause, Webhook } from './webhook.ts';
import { WebhookSecretError, type WebhookSecrets } from './webhook-secrets.ts';

/**
 * `again`: there may be more at once; `later`: there is nothing, or it must be retried later; `paused`: the service
 * paused it.
 */
export type Step = 'again' | 'later' | 'paused';

export interface DeliveryParts extends Pick<TicketParts, 'link' | 'publicUrl'> {
  db: Kysely<Schema>;
  store: DeliveryStore;
  secrets: WebhookSecrets;
  /** Of positions and ids for webhooks with limits, and of tickets. */
  seal: CursorSeal;
  egress: Egress;
  clock: Clock;
  policy?: RetryPolicy;
  /** For one attempt; for tickets, for one request. */
  timeoutMs?: number;
  random?: () => number;
}

/** A delivery with its content: a body, or the findings whose tickets may have to change. */
interface Prepared {
  delivery: Delivery;
  content: Buffer | TicketWork;
}

const PREFIX = 'msg_';
/** Webhooks that begin far back must not take the connections of everybody else. */
const READINGS_AT_ONCE = 2;

/**
 * Delivers the changes of a webhook, one delivery after another. Each is a row with an id and its two ends before it is
 * sent, and the position advances in the transaction that ends it: after an interruption it is sent again under the
 * same id, and nothing is skipped.
 */
export class WebhookDelivery {
  private readonly slots = pLimit(READINGS_AT_ONCE);
  private turn = 0;
  /** Version of each webhook whose filter keeps all of its open tickets. */
  private readonly settled = new Map<string, number>();

  constructor(private readonly parts: DeliveryParts) {}

  /**
   * Makes and sends the next delivery, or sends the one on its way again. To be called by one at a time for a webhook.
   * @throws the reason of the signal, or EgressError `aborted`, if it is aborted
   */
  async step(webhookId: string, heads: ChangeCursor, signal: AbortSignal): Promise<Step> {
    const { store, clock } = this.parts;
    const task = await store.task(webhookId);
    if (!task) return 'later';
    const { webhook, pending } = task;
    if (pending && (pending.nextAttemptAt ?? 0) > clock()) return 'later';
    try {
      const prepared = pending
        ? await this.made(webhook, pending, signal)
        : await this.make(webhook, heads, signal);
      if (pending && !(await this.mayRepeat(webhook, pending))) return 'again';
      return typeof prepared === 'string' ? prepared : await this.deliver(webhook, prepared, signal);
    } catch (error) {
      if (!(error instanceof HistoryGapError)) throw error;
      const isPaused = await store.pause(webhook, { reason: 'gap', message: error.message, at: clock() });
      return isPaused ? 'paused' : 'again';
    }
  }

  /** Whether the filter of a webhook has changed since its tickets were last compared with it, or may have. */
  mayHaveTicketsOutside({ id, kind, version }: Pick<Webhook, 'id' | 'kind' | 'version'>): boolean {
    return isTicketKind(kind) && this.settled.get(id) !== version;
  }

  private async make(webhook: Webhook, heads: ChangeCursor, signal: AbortSignal): Promise<Prepared | Step> {
    const { store, clock } = this.parts;
    const from = placeOf(webhook.position);
    this.turn += 1;
    const { changes, to } = await gather(this.readerOf(webhook, signal), {
      from,
      heads: webhook.filter.ssvc ? await scoredHeads(this.parts.db, heads) : heads,
      ...(seesAllRows(webhook)
        ? { bounds: boundsOf(webhook), first: this.turn }
        : this.limitedBounds(webhook, from)),
    });
    const end = formatCursor(to);
    const outside = await this.ticketsOutside(webhook);
    const count = changes.length + outside.length;
    if (count === 0 && end === webhook.position) return 'later';
    if (count === 0) {
      await store.passOver(webhook, end);
      return 'again';
    }
    const id = randomUUID();
    const content = this.contentOf(webhook, { id, from, changes, outside });
    const bytes = Buffer.isBuffer(content) ? content.length : 0;
    const created = { id, to: end, changes: count, bytes, createdAt: clock() };
    if (!(await store.begin(webhook, created))) return 'again';
    return { content, delivery: { ...NEW, ...created, webhookId: webhook.id, from: webhook.position } };
  }

  /** The content of a delivery are the changes between its ends, read again. */
  private async made(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<Prepared> {
    const from = placeOf(delivery.from);
    const { changes } = await gather(this.readerOf(webhook, signal), {
      from,
      heads: placeOf(delivery.to),
      bounds: WITHOUT_BOUNDS,
      first: 0,
    });
    const outside = await this.ticketsOutside(webhook);
    return { delivery, content: this.contentOf(webhook, { id: delivery.id, from, changes, outside }) };
  }

  /** Reading its changes again can take minutes, in which users pause and remove webhooks. */
  private mayRepeat(webhook: Webhook, delivery: Delivery): Promise<boolean> {
    const { store, clock, policy = RETRY_POLICY } = this.parts;
    const at = clock();
    return store.again(webhook, delivery, at, at + policy.firstMs);
  }

  /** Some of them; they are closed, and so are the next ones by the next delivery. */
  private async ticketsOutside(webhook: Webhook): Promise<string[]> {
    if (!this.mayHaveTicketsOutside(webhook)) return [];
    const ids = await ticketsOutsideFilter(this.parts.db, webhook, TICKET_BOUNDS.changesMax);
    if (ids.length === 0) this.settled.set(webhook.id, webhook.version);
    return ids;
  }

  /** Skipping hidden changes can take minutes, which a collector that stops does not wait for. */
  private readerOf(webhook: Webhook, signal: AbortSignal): ReadChanges {
    const { db, seal } = this.parts;
    const read = seesAllRows(webhook) ? readAll(db, webhook) : readVisible(db, webhook, seal);
    return (...range) =>
      this.slots(() => {
        signal.throwIfAborted();
        return read(...range);
      });
  }

  /** What a delivery contains must not depend on the changes of hidden assets, nor on other webhooks. */
  private limitedBounds(
    webhook: Webhook,
    from: ChangeCursor,
  ): Pick<Gathering, 'bounds' | 'first' | 'positionCharacters'> {
    const [sequences = []] = Object.values(from);
    return {
      bounds: { ...boundsOf(webhook), isAlwaysFull: true },
      first: randomInt(Math.max(1, sequences.length)),
      positionCharacters: this.parts.seal.seal(from).length,
    };
  }

  /** The same each time: positions of a webhook with limits are sealed under the id of the delivery. */
  private contentOf(
    webhook: Webhook,
    {
      id,
      from,
      changes,
      outside,
    }: { id: string; from: ChangeCursor; changes: PlacedChange[]; outside: string[] },
  ): Prepared['content'] {
    if (isTicketKind(webhook.kind)) return { changes, outside };
    if (seesAllRows(webhook)) return deliveryBody(from, changes);
    return deliveryBody(from, changes, (position, index) => this.parts.seal.seal(position, `${id}/${index}`));
  }

  private async deliver(
    webhook: Webhook,
    { delivery, content }: Prepared,
    signal: AbortSignal,
  ): Promise<Step> {
    const { store, clock } = this.parts;
    const sent = await this.send(webhook, delivery, content, signal);
    webhookAttempts.inc({ outcome: sent.isOwnLimit ? 'waiting' : sent.outcome });
    const at = clock();
    if (sent.outcome === 'taken') {
      await store.delivered(delivery, sent.answer, at);
      return 'again';
    }
    const next = this.nextOf(delivery, sent, at);
    const { answer, isOwnLimit = false, hasProgress = false } = sent;
    const failure = { answer, at, next, isCounted: !isOwnLimit, hasProgress };
    if (!(await store.failed(webhook, delivery, failure))) return 'again';
    return typeof next === 'number' ? 'later' : 'paused';
  }

  private async send(
    webhook: Webhook,
    delivery: Delivery,
    content: Prepared['content'],
    signal: AbortSignal,
  ): Promise<Sent> {
    const { egress, secrets, clock, timeoutMs } = this.parts;
    const { id, url, kind } = webhook;
    try {
      if (!Buffer.isBuffer(content)) {
        if (!isTicketKind(kind)) throw new Error(`webhook ${id} keeps no tickets`);
        return await keepTickets(this.parts, { ...webhook, kind }, content, signal);
      }
      const at = clock();
      const signing = await secrets.open(webhook, at);
      return await send(egress, {
        url,
        id: `${PREFIX}${delivery.id}`,
        at,
        body: content,
        secrets: signing,
        signal,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
    } catch (error) {
      if (!(error instanceof WebhookSecretError)) throw error;
      const answer = { status: null, message: error.message, ms: 0 };
      return { outcome: 'failed', answer, retryAfterMs: null };
    }
  }

  private nextOf(delivery: Delivery, sent: Sent, at: number): number | Pause {
    const { outcome, answer, retryAfterMs, isOwnLimit = false, hasProgress = false } = sent;
    const { policy = RETRY_POLICY, random = Math.random } = this.parts;
    const { attempts: before, firstAttemptAt } = hasProgress ? NEW : delivery;
    const attempts = before + 1;
    if (outcome === 'gone') return { reason: 'gone', message: answer.message, at };
    if (!isOwnLimit && isExhausted(policy, attempts, at - (firstAttemptAt ?? at))) {
      return { reason: 'exhausted', message: `after ${attempts} attempts: ${answer.message}`, at };
    }
    return at + retryDelayMs(policy, attempts, random(), retryAfterMs);
  }
}

const boundsOf = ({ kind }: Webhook): DeliveryBounds =>
  isTicketKind(kind) ? TICKET_BOUNDS : DELIVERY_BOUNDS;

/** Default values of a new row. */
const NEW = {
  status: 'pending',
  attempts: 0,
  firstAttemptAt: null,
  lastAttemptAt: null,
  nextAttemptAt: null,
  finishedAt: null,
  answer: null,
} as const;
