import type { SyncRunner } from './sync-runner.service.ts';
import type { SyncTask } from './syncs.repository.ts';

/** Syncs that this collector runs side by side. */
export class RunningSyncs {
  private readonly running = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private readonly signal: AbortSignal;
  private failure: Error | null = null;

  /** @param stopping ends all of them */
  constructor(
    private readonly runner: Pick<SyncRunner, 'run'>,
    stopping: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stopping, this.ending.signal]);
  }

  get size(): number {
    return this.running.size;
  }

  start(task: SyncTask): void {
    const run: Promise<void> = this.runner
      .run(task, this.signal)
      .catch((error: Error) => {
        this.failure ??= error;
      })
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** @throws what one of them failed with that its row could not say */
  throwIfFailed(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Cuts off those that run; resolves when their rows say so, as far as they can. */
  async end(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
  }
}
