import { Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { isPassingError } from '#libs/database';
import { type EventLog, FencedError, LogUnavailableError } from '#libs/event-log';
import { SchemaRegistryError } from '#libs/schema-registry';
import { publishFailures } from '#libs/telemetry';
import type { Outbox } from './outbox.ts';
import { PartitionPublisher } from './partition-publisher.ts';
import { RetryDelay } from './retry-delay.ts';

/** Bounds memory, and leaves the log's connections to those who append. */
const BATCHES_AT_ONCE = 2;

/**
 * Publishes what some outboxes hold of the partitions that this process has: one publisher a partition and outbox.
 * `restAfter` says how long they rest after a batch, by how long it took, in ms; left out: not at all.
 */
export class PartitionPublishers {
  private readonly logger = new Logger(this.constructor.name);
  private readonly slots = pLimit(BATCHES_AT_ONCE);
  private readonly held = new Map<number, PartitionPublisher[]>();
  /** By output; kept while nothing of it is held: a partition may come back in an instant. */
  private readonly retries = new Map<string, RetryDelay>();
  private readonly told = new WeakSet<Error>();

  constructor(
    private readonly log: EventLog,
    private readonly outboxes: readonly Outbox[],
    private readonly restAfter: (workedMs: number) => number = () => 0,
  ) {
    for (const { topic } of outboxes) publishFailures.inc({ topic }, 0);
  }

  /** Publishes what was left unpublished, and from now on whatever `wake` tells of. */
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
      onFailed: (error, isFirst) => this.tell(outbox.topic, partition, error, isFirst),
    });
  }

  private retryOf(output: string): RetryDelay {
    const retry = this.retries.get(output) ?? new RetryDelay();
    this.retries.set(output, retry);
    return retry;
  }

  private tell(topic: string, partition: number, error: Error, isFirst: boolean): void {
    const output = `${topic}/${partition}`;
    publishFailures.inc({ topic });
    if (error instanceof SchemaRegistryError) {
      this.tellOnce(error, `${topic} waits: ${error.message}`);
    } else if (error instanceof FencedError) {
      this.logger.log(`${output} is published by another process now`);
    } else if (error instanceof LogUnavailableError || isPassingError(error)) {
      if (isFirst) this.logger.warn(`${output} waits: ${error.message}`);
    } else {
      this.logger.error(`${output} is not published, and is tried again: ${error.message}`, error.stack);
    }
  }

  /** The publishers of all partitions share an attempt, and so its error. */
  private tellOnce(error: Error, sentence: string): void {
    if (this.told.has(error)) return;
    this.told.add(error);
    this.logger.warn(sentence);
  }
}
