import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import { isTransientError, type Schema } from '#libs/database';
import { type EventLog, FencedError, LogUnavailableError } from '#libs/event-log';
import { SchemaRegistryError } from '#libs/schema-registry';
import { atScrape, publishFailures } from '#libs/telemetry';
import type { Outbox } from './outbox.ts';
import { PartitionPublisher } from './partition-publisher.ts';
import { reportPublishLag } from './publish-lag.ts';
import { RetryDelay } from './retry-delay.ts';

/** Bounds memory, and leaves connections of the log for appends. */
const BATCHES_AT_ONCE = 2;

/**
 * Publishes what some outboxes hold of the partitions that this process has: one publisher a partition and outbox.
 * `restAfter` says how long they rest after a batch, by how long it took, in ms; omitted: not at all.
 */
export class PartitionPublishers implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private readonly slots = pLimit(BATCHES_AT_ONCE);
  private readonly held = new Map<number, PartitionPublisher[]>();
  /** By output; kept after a revocation: a partition may be assigned again at once. */
  private readonly retries = new Map<string, RetryDelay>();
  private readonly told = new WeakSet<Error>();
  private unregister = () => {};

  constructor(
    private readonly log: EventLog,
    private readonly db: Kysely<Schema>,
    private readonly outboxes: readonly Outbox[],
    private readonly restAfter: (workedMs: number) => number = () => 0,
  ) {
    for (const { topic } of outboxes) publishFailures.inc({ topic }, 0);
  }

  onModuleInit(): void {
    this.unregister = atScrape('publishing', () => reportPublishLag(this.db));
  }

  onModuleDestroy(): void {
    this.unregister();
  }

  /** Publishes what was left unpublished, and from now on the changes that `wake` announces. */
  hold(partition: number): void {
    const publishers = this.outboxes.map((outbox) => this.publisherOf(outbox, partition));
    this.held.set(partition, publishers);
    for (const publisher of publishers) publisher.wake();
  }

  /** The outboxes of the partition may hold more. */
  wake(partition: number): void {
    for (const publisher of this.held.get(partition) ?? []) publisher.wake();
  }

  /** Resolves when nothing of the partition is published any more. */
  async release(partition: number): Promise<void> {
    const publishers = this.held.get(partition) ?? [];
    this.held.delete(partition);
    await Promise.all(publishers.map((publisher) => publisher.stop()));
  }

  private publisherOf(outbox: Outbox, partition: number): PartitionPublisher {
    return new PartitionPublisher({
      log: this.log,
      outbox,
      partition,
      slots: this.slots,
      restAfter: this.restAfter,
      retry: this.retryOf(`${outbox.topic}/${partition}`),
      onFailed: (error, isFirst) => this.logFailure(outbox.topic, partition, error, isFirst),
    });
  }

  private retryOf(output: string): RetryDelay {
    const retry = this.retries.get(output) ?? new RetryDelay();
    this.retries.set(output, retry);
    return retry;
  }

  private logFailure(topic: string, partition: number, error: Error, isFirst: boolean): void {
    const output = `${topic}/${partition}`;
    publishFailures.inc({ topic });
    if (error instanceof SchemaRegistryError) {
      this.logOnce(error, `${topic}: publishing paused, will retry: ${error.message}`);
    } else if (error instanceof FencedError) {
      this.logger.log(`${output}: publishing paused: ${error.message}`);
    } else if (error instanceof LogUnavailableError || isTransientError(error)) {
      if (isFirst) this.logger.warn(`${output}: publishing paused, will retry: ${error.message}`);
    } else {
      this.logger.error(`${output}: publishing failed, will retry: ${error.message}`, error.stack);
    }
  }

  /** The publishers of all partitions share an attempt, and so its error. */
  private logOnce(error: Error, sentence: string): void {
    if (this.told.has(error)) return;
    this.told.add(error);
    this.logger.warn(sentence);
  }
}
