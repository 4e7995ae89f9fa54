import { setTimeout } from 'node:timers/promises';
import type { BatchHandler, StoredRecord } from '../event-log.ts';

const RETRY_INTERVAL_MS = 500;

export interface RetryPolicy {
  /** Whether a retry can succeed, as after a lost database connection. */
  isTransient(error: Error): boolean;
  /** Called once for each partition that starts to wait, until it resumes. */
  onWaiting(partition: number, error: Error): void;
  /** Ends all waits, because the consumer stops. */
  stopping: AbortSignal;
}

/**
 * Retries after transient errors, so that the partition does not stop. After a failed batch it revokes the partition and
 * assigns it again: only the handler knows which offset comes next, and no earlier work may continue in parallel.
 */
export class RetryingHandler implements BatchHandler {
  private readonly waiting = new Set<number>();

  constructor(
    private readonly handler: BatchHandler,
    private readonly policy: RetryPolicy,
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

  /** @throws the error if it is not transient, or if the consumer stops */
  private async waitAfter(partition: number, error: Error): Promise<void> {
    const { isTransient, onWaiting, stopping } = this.policy;
    if (!isTransient(error) || stopping.aborted) throw error;
    if (!this.waiting.has(partition)) onWaiting(partition, error);
    this.waiting.add(partition);
    await setTimeout(RETRY_INTERVAL_MS, undefined, { signal: stopping }).catch(() => {
      throw error;
    });
  }
}
