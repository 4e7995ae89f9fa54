import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '#libs/config';
import { LOGGER } from '../tokens.ts';
import { ProjectionPositions } from './projection-positions.repository.ts';

const POLL_INTERVAL_MS = 25;
const RETRY_INTERVAL_MS = 500;
const WAITING_MAX = 256;

interface Waiter {
  /** Partition → the offset that its projection must have passed. */
  offsets: ReadonlyMap<number, number>;
  /** On the monotonic clock, milliseconds. */
  deadline: number;
  done: () => void;
  /** Ends the wait. */
  signal: AbortSignal;
  giveUp: () => void;
}

/**
 * Delays responses until the projections include the appended events (`Prefer: wait=N`): one query for all waiting
 * requests.
 */
@Injectable()
export class ProjectionWaiter implements OnModuleDestroy {
  private readonly waiting = new Set<Waiter>();
  private polling: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly projections: ProjectionPositions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the projection of every partition is past its offset, or after `seconds`.
   * Returns false, at once, if 256 others wait already, the program is stopping, or `signal` ends the wait.
   */
  async wait(offsets: ReadonlyMap<number, number>, seconds: number, signal: AbortSignal): Promise<boolean> {
    if (this.isStopping || this.waiting.size >= WAITING_MAX || signal.aborted) return false;
    const deadline = performance.now() + seconds * 1000;
    await new Promise<void>((done) => {
      const waiter: Waiter = { offsets, deadline, done, signal, giveUp: () => this.leave(waiter) };
      signal.addEventListener('abort', waiter.giveUp);
      this.waiting.add(waiter);
      this.polling ??= this.poll();
    });
    return !signal.aborted;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const waiter of this.waiting) this.leave(waiter);
    await this.polling;
  }

  private async poll(): Promise<void> {
    while (this.waiting.size > 0) {
      const positions = await this.positions();
      const reached = positions ?? new Map<number, number>();
      for (const waiter of this.waiting) {
        if (performance.now() >= waiter.deadline || isPast(waiter.offsets, reached)) this.leave(waiter);
      }
      if (this.waiting.size > 0) await setTimeout(positions ? POLL_INTERVAL_MS : RETRY_INTERVAL_MS);
    }
    this.polling = undefined;
  }

  private leave(waiter: Waiter): void {
    this.waiting.delete(waiter);
    waiter.signal.removeEventListener('abort', waiter.giveUp);
    waiter.done();
  }

  /** Null while the database is unavailable: no position is reached then, and waiting requests may time out. */
  private async positions(): Promise<Map<number, number> | null> {
    try {
      return await this.projections.read();
    } catch (error) {
      this.logger.warn({ err: error }, 'reading the positions of the projections failed');
      return null;
    }
  }
}

const isPast = (offsets: ReadonlyMap<number, number>, reached: ReadonlyMap<number, number>): boolean =>
  [...offsets].every(([partition, offset]) => (reached.get(partition) ?? 0) > offset);
