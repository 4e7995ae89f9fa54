import { setTimeout } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import { type EventLog, FencedError, type LogRecord, type Publisher } from '#libs/event-log';
import { publishedRecords, publishSeconds } from '#libs/telemetry';
import { lastRecord } from './last-record.ts';
import type { Outbox, OutboxPosition } from './outbox.ts';
import { RetryDelay } from './retry-delay.ts';

/** A new owner of this name for a partition fences the previous owners. */
const PUBLISHER_NAME = 'changes';

export interface PartitionPublisherOptions {
  log: EventLog;
  outbox: Outbox;
  partition: number;
  /** Bounds the batches in hand over all publishers of a process. */
  slots: LimitFunction;
  /** How long to rest after a batch, by how long it took; both in ms. */
  restAfter(workedMs: number): number;
  /** Of this output; omitted: a new one. */
  retry?: RetryDelay;
  /** Called for every failed attempt, which is retried automatically; `isFirst`: the first of consecutive failures. */
  onFailed(error: Error, isFirst: boolean): void;
}

interface Output {
  publisher: Publisher;
  position: OutboxPosition;
}

/**
 * Publishes the outbox of one partition, in order and each change once, whenever it is woken. The position is read from
 * the output itself after other publishers were fenced, and again after every failure, because a batch whose response
 * was lost may be published.
 */
export class PartitionPublisher {
  private readonly stopping = new AbortController();
  private output: Output | null = null;
  private hasNews = false;
  private running: Promise<void> | undefined;
  private readonly retry: RetryDelay;

  constructor(private readonly options: PartitionPublisherOptions) {
    this.retry = options.retry ?? new RetryDelay();
  }

  /** The outbox may hold more. */
  wake(): void {
    this.hasNews = true;
    this.running ??= this.run();
  }

  /** Waits for the current batch; the next owner of the partition publishes the rest of the outbox. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.leaveOutput();
  }

  private async run(): Promise<void> {
    await this.pause(this.retry.remainingMs);
    while (this.hasNews && !this.stopping.signal.aborted) {
      this.hasNews = false;
      try {
        await this.publishAll();
        // A stop ends the work before it can fail.
        if (!this.stopping.signal.aborted) this.retry.succeeded();
      } catch (error) {
        await this.leaveOutput();
        await this.waitAfter(error as Error);
      }
    }
    this.running = undefined;
  }

  private async waitAfter(error: Error): Promise<void> {
    this.hasNews = true;
    this.options.onFailed(error, !this.retry.isFailing);
    // If another process owns the partition, this one is about to be notified.
    if (error instanceof FencedError) return this.pause(RetryDelay.MAX_MS);
    this.retry.failed();
    await this.pause(this.retry.remainingMs);
  }

  private async publishAll(): Promise<void> {
    // Outside the slots, and not waited for by a stop: a schema registry may take seconds to say nothing.
    await this.readyOrStopping();
    let hasMore = true;
    while (hasMore && !this.stopping.signal.aborted) {
      hasMore = await this.options.slots(() => this.publishAndRest());
    }
  }

  /** A promise that lasted until the stop would keep the reactions of every race with it. */
  private async readyOrStopping(): Promise<void> {
    const { signal } = this.stopping;
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    signal.addEventListener('abort', stop);
    try {
      await Promise.race([this.options.outbox.ready(), stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** It keeps its slot while it waits, so that no other publisher uses it. */
  private async publishAndRest(): Promise<boolean> {
    const began = performance.now();
    const hasMore = await this.publishNext();
    const restMs = this.options.restAfter(performance.now() - began);
    if (restMs > 0) await this.pause(restMs);
    return hasMore;
  }

  private async pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await setTimeout(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /** Returns whether there may be more. */
  private async publishNext(): Promise<boolean> {
    const { outbox, partition } = this.options;
    this.output ??= await this.openOutput();
    if (!this.output) return false;
    const batch = await outbox.next(partition, this.output.position);
    if (!batch) return false;
    if (batch.records.length > 0) await this.publish(batch.records, this.output.publisher);
    await outbox.note(partition, batch.position);
    this.output.position = batch.position;
    return batch.hasMore;
  }

  private async publish(records: LogRecord[], publisher: Publisher): Promise<void> {
    const { topic } = this.options.outbox;
    const ends = publishSeconds.startTimer({ topic });
    await publisher.publish(records);
    ends();
    publishedRecords.inc({ topic }, records.length);
  }

  private async openOutput(): Promise<Output | null> {
    const { log, outbox, partition } = this.options;
    if (!(await outbox.isInUse(partition))) return null;
    const publisher = await log.publisher(outbox.topic, partition, PUBLISHER_NAME);
    let position: OutboxPosition | null;
    try {
      position = await outbox.resume(partition, await lastRecord(log, outbox.topic, partition));
      // A note does not wait for the disk: a crash of the database may have taken back the last one.
      if (position && position.sequence > 0) await outbox.note(partition, position);
    } catch (error) {
      await publisher.close();
      throw error;
    }
    if (position) return { publisher, position };
    await publisher.close();
    return null;
  }

  private async leaveOutput(): Promise<void> {
    const { output } = this;
    this.output = null;
    // A failed publisher may also fail to close. The next one takes over its name anyway.
    await output?.publisher.close().catch(() => undefined);
  }
}
