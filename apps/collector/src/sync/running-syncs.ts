import type { SyncRunner } from './sync-runner.service.ts';
import type { SyncTask } from './sync-runs.repository.ts';

/** Syncs that this collector runs side by side. */
export class RunningSyncs {
  private readonly running = new Set<Promise<void>>();
  private readonly interrupted = new AbortController();
  private readonly signal: AbortSignal;
  private failure: Error | null = null;

  /** @param stopping ends all of them */
  constructor(
    private readonly runner: Pick<SyncRunner, 'run'>,
    stopping: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stopping, this.interrupted.signal]);
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

  /** @throws the error of one of them that could not be written to its row */
  throwIfFailed(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Interrupts the running ones; resolves when their rows are updated, if possible. */
  async stop(): Promise<void> {
    this.interrupted.abort();
    await Promise.all(this.running);
  }
}
