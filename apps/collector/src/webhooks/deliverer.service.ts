import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type ChangeVector, readHeads } from '#libs/changes';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { Egress, EgressOptions } from '#libs/egress';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { readOrganization } from '#libs/projection';
import { atScrape } from '#libs/telemetry';
import {
  changesBehind,
  type DeliveryParts,
  DeliveryStore,
  WEBHOOKS_MAX,
  WebhookDelivery,
  type WebhookSecrets,
} from '#libs/webhooks';
import { inTurn, pause } from '../in-turn.ts';
import { tellWebhooks } from './tell-webhooks.ts';

/** Injection token of `WebhookParts`. */
export const WEBHOOK_PARTS = Symbol('WEBHOOK_PARTS');

/** What deliveries need beside the database. */
export interface WebhookParts extends Pick<DeliveryParts, 'policy' | 'timeoutMs'> {
  secrets: WebhookSecrets;
  /** A way out for as long as somebody delivers. */
  openEgress(options: Pick<EgressOptions, 'allow' | 'connectionsMax'>): Egress;
}

/** Of PostgreSQL's advisory locks: whoever holds it delivers. */
const DELIVERER_LOCK = 7_305_118_425;
/** How long a change may be unheard of. */
const LOOK_INTERVAL_MS = 200;
/** While there is no webhook. */
const IDLE_INTERVAL_MS = 1_000;
const RETRY_INTERVAL_MS = 2_000;
const SETTINGS_INTERVAL_MS = 1_000;
const PRUNE_INTERVAL_MS = 10 * 60_000;
const DELIVERIES_KEPT_MS = 7 * 24 * 60 * 60_000;

/**
 * Delivers webhooks, one process at a time: the one that holds the lock. Each webhook has a worker of its own while it
 * has something to deliver, so that a receiver that is slow or away holds up no other; there are at most
 * `WEBHOOKS_MAX` (the gateway sees to that), each with one delivery in memory.
 */
@Injectable()
export class Deliverer implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Deliverer.name);
  private readonly stopping = new AbortController();
  private readonly store: DeliveryStore;
  private running: Promise<void> = Promise.resolve();
  private stopTelling = () => {};
  private egressAllow: readonly string[] = [];

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(EVENT_LOG) private readonly log: Pick<EventLog, 'partitions'>,
    @Inject(WEBHOOK_PARTS) private readonly parts: WebhookParts,
  ) {
    this.store = new DeliveryStore(db);
  }

  onModuleInit(): void {
    this.stopTelling = atScrape('webhooks', () => tellWebhooks(this.db, this.log.partitions));
    const { db, stopping } = this;
    const onFailure = ({ message }: Error) => this.logger.warn(`no webhook is delivered for now: ${message}`);
    this.running = inTurn({ db, lock: DELIVERER_LOCK, signal: stopping.signal, onFailure }, (held) =>
      this.deliverInTurn(held),
    );
  }

  /** Resolves when what was being sent is cut off: it is sent again by whoever delivers next. */
  async onApplicationShutdown(): Promise<void> {
    this.stopTelling();
    this.stopping.abort();
    await this.running;
  }

  private async deliverInTurn(held: Kysely<Schema>): Promise<void> {
    // Receivers behind one host share no connection: one that is silent keeps its own for as long as it may.
    const egress = this.parts.openEgress({ allow: () => this.egressAllow, connectionsMax: WEBHOOKS_MAX });
    const ended = new AbortController();
    const workers = new Map<string, Promise<void>>();
    try {
      await this.deliver(held, egress, workers, AbortSignal.any([this.stopping.signal, ended.signal]));
    } finally {
      ended.abort();
      await Promise.all(workers.values());
      await egress.close();
    }
  }

  private async deliver(
    held: Kysely<Schema>,
    egress: Egress,
    workers: Map<string, Promise<void>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { db, store, clock, parts } = this;
    const delivery = new WebhookDelivery({ ...parts, db, store, clock, egress });
    let [readAt, prunedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    while (!signal.aborted) {
      // On the connection of the lock: where it is lost, another process may deliver.
      const due = await new DeliveryStore(held).due(clock());
      if (due.length > 0) {
        if (performance.now() - readAt > SETTINGS_INTERVAL_MS) {
          this.egressAllow = (await readOrganization(db)).settings.egressAllow;
          readAt = performance.now();
        }
        const heads = await readHeads(db, this.log.partitions);
        for (const { id, pending, position } of due) {
          if (workers.has(id) || (!pending && changesBehind(position, heads) === 0)) continue;
          const worker = this.work(delivery, id, heads, signal).finally(() => workers.delete(id));
          workers.set(id, worker);
        }
      }
      if (performance.now() - prunedAt > PRUNE_INTERVAL_MS) {
        await parts.secrets.forgetPrevious(clock());
        if ((await store.prune(clock() - DELIVERIES_KEPT_MS)) === 0) prunedAt = performance.now();
      }
      await pause(due.length > 0 || workers.size > 0 ? LOOK_INTERVAL_MS : IDLE_INTERVAL_MS, signal);
    }
  }

  /** Delivers until there is nothing more for the moment; never throws. */
  private async work(
    delivery: WebhookDelivery,
    webhookId: string,
    heads: ChangeVector,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      while (!signal.aborted) {
        const step = await delivery.step(webhookId, heads, signal);
        if (step === 'paused') this.logger.warn(`the webhook ${webhookId} is paused: it tells why`);
        if (step !== 'again') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.logger.warn(
        `the webhook ${webhookId} was not delivered, and is tried again: ${(error as Error).message}`,
      );
      await pause(RETRY_INTERVAL_MS, signal);
    }
  }
}
