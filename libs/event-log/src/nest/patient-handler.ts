import { setTimeout } from 'node:timers/promises';
import type { BatchHandler, StoredRecord } from '../event-log.ts';

const RETRY_INTERVAL_MS = 500;

export interface Patience {
  /** Whether an error ends by itself, as that of a database that is away does. */
  passes(error: Error): boolean;
  /** Told once of each partition that waits, until it goes on: where a batch failed, until one goes through. */
  onWaiting(partition: number, error: Error): void;
  /** Ends all waiting: the consumer is about to be stopped. */
  stopping: AbortSignal;
}

/**
 * Tries anew what fails for a reason that passes, so that the partition does not stop for it. After a failed batch the
 * handler is asked where to start: what became of the batch is for it to know. It is told before that the partition is
 * revoked, so that nothing of what it did for it goes on beside what it begins anew.
 */
export class PatientHandler implements BatchHandler {
  private readonly waiting = new Set<number>();

  constructor(
    private readonly handler: BatchHandler,
    private readonly patience: Patience,
  ) {}

  async assigned(partition: number): Promise<number> {
    const start = await this.begin(partition);
    this.waiting.delete(partition);
    return start;
  }

  async batch(records: StoredRecord[]): Promise<number> {
    const { partition } = records[0]!;
    try {
      const next = await this.handler.batch(records);
      this.waiting.delete(partition);
      return next;
    } catch (error) {
      await this.waitAfter(partition, error as Error);
      await this.handler.revoked(partition);
      return this.begin(partition);
    }
  }

  revoked(partition: number): Promise<void> {
    this.waiting.delete(partition);
    return this.handler.revoked(partition);
  }

  private async begin(partition: number): Promise<number> {
    for (;;) {
      try {
        return await this.handler.assigned(partition);
      } catch (error) {
        await this.waitAfter(partition, error as Error);
      }
    }
  }

  /** @throws the error where it does not pass, or nobody waits any more */
  private async waitAfter(partition: number, error: Error): Promise<void> {
    const { passes, onWaiting, stopping } = this.patience;
    if (!passes(error) || stopping.aborted) throw error;
    if (!this.waiting.has(partition)) onWaiting(partition, error);
    this.waiting.add(partition);
    await setTimeout(RETRY_INTERVAL_MS, undefined, { signal: stopping }).catch(() => {
      throw error;
    });
  }
}
