import { setTimeout } from 'node:timers/promises';
import type { Logger } from '#libs/config';

/** Does something again and again, whether a round fails or not; the first failure of several in a row is logged. */
export class Periodic {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private hasFailed = false;

  /** @param failure log message for a failed round */
  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly failure: string,
    private readonly logger: Logger,
  ) {}

  /** Resolves after the first round. */
  async start(): Promise<void> {
    await this.round();
    this.running = this.run();
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** A round out of turn. */
  async round(): Promise<void> {
    try {
      await this.work();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn({ err: error }, this.failure);
      this.hasFailed = true;
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await setTimeout(this.intervalMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.round();
    }
  }
}
