import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type ChangeVector, readHeads } from '#libs/changes';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { Egress, EgressOptions } from '#libs/egress';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { readOrganization } from '#libs/tables';
import { atScrape } from '#libs/telemetry';
import {
  changesBehind,
  type DeliveryParts,
  DeliveryStore,
  TicketStore,
  WEBHOOKS_MAX,
  WebhookDelivery,
  type WebhookSecrets,
} from '#libs/webhooks';
import { asLeader, pause } from '../as-leader.ts';
import { reportWebhooks } from './report-webhooks.ts';

/** Injection token of `WebhookParts`. */
export const WEBHOOK_PARTS = Symbol('WEBHOOK_PARTS');

/** What deliveries need in addition to the database. */
export interface WebhookParts
  extends Pick<DeliveryParts, 'policy' | 'seal' | 'timeoutMs' | 'link' | 'publicUrl'> {
  secrets: WebhookSecrets;
  /** Egress, open while this process delivers. */
  openEgress(options: Pick<EgressOptions, 'allow' | 'connectionsMax'>): Egress;
}

/** Key of the advisory lock of PostgreSQL whose holder delivers. */
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
 * Delivers webhooks, in one process at a time: the one with the lock. Each webhook with pending changes has a separate
 * worker, so that a slow or unavailable receiver delays no other; there are at most `WEBHOOKS_MAX` (enforced by the
 * gateway), each with one delivery in memory. With a clock that is not trusted it sends and forgets nothing.
 */
@Injectable()
export class Deliverer implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Deliverer.name);
  private readonly stopping = new AbortController();
  private readonly store: DeliveryStore;
  private running: Promise<void> = Promise.resolve();
  private unregister = () => {};
  private egressAllow: readonly string[] = [];

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TRUSTED_CLOCK) private readonly trustedClock: TrustedClock,
    @Inject(EVENT_LOG) private readonly log: Pick<EventLog, 'partitions'>,
    @Inject(WEBHOOK_PARTS) private readonly parts: WebhookParts,
  ) {
    this.store = new DeliveryStore(db);
  }

  onModuleInit(): void {
    this.unregister = atScrape('webhooks', () => reportWebhooks(this.db, this.log.partitions));
    const { db, stopping } = this;
    const onFailure = ({ message }: Error) =>
      this.logger.warn(`webhooks: delivery paused, will retry: ${message}`);
    this.running = asLeader({ db, lock: DELIVERER_LOCK, signal: stopping.signal, onFailure }, (held) =>
      this.deliverInTurn(held),
    );
  }

  /** Resolves when running requests are aborted: the next deliverer sends them again. */
  async onApplicationShutdown(): Promise<void> {
    this.unregister();
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
      // On the connection of the lock: if it is lost, another process may deliver.
      const due = await new DeliveryStore(held).due(clock());
      if (this.trustedClock.distrust) {
        await pause(IDLE_INTERVAL_MS, signal);
        continue;
      }
      if (due.length > 0) {
        if (performance.now() - readAt > SETTINGS_INTERVAL_MS) {
          this.egressAllow = (await readOrganization(db)).settings.egressAllow;
          readAt = performance.now();
        }
        const heads = await readHeads(db, this.log.partitions);
        for (const webhook of due) {
          const { id, pending, position } = webhook;
          const isBehind = pending !== null || changesBehind(position, heads) > 0;
          if (workers.has(id) || !(isBehind || delivery.mayHaveTicketsOutside(webhook))) continue;
          const worker = this.work(delivery, id, heads, signal).finally(() => workers.delete(id));
          workers.set(id, worker);
        }
      }
      if (performance.now() - prunedAt > PRUNE_INTERVAL_MS) {
        const now = this.trustedClock.now();
        await parts.secrets.forgetPrevious(now);
        await new TicketStore(db).prune(now);
        if ((await store.prune(now - DELIVERIES_KEPT_MS)) === 0) prunedAt = performance.now();
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
      while (!signal.aborted && !this.trustedClock.distrust) {
        const step = await delivery.step(webhookId, heads, signal);
        if (step === 'paused')
          this.logger.warn(`webhook ${webhookId}: paused, see its field paused for the reason`);
        if (step !== 'again') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.logger.warn(`webhook ${webhookId}: delivery failed, will retry: ${(error as Error).message}`);
      await pause(RETRY_INTERVAL_MS, signal);
    }
  }
}
