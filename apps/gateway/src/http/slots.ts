import type { ThrottleReason } from '#libs/telemetry';
import { RetryLaterException } from './http-errors.ts';

export interface SlotsOptions {
  /** At a time, in this process. */
  max: number;
  retrySeconds: number;
  /** For the metrics. */
  reason: ThrottleReason;
}

/** Limits how many tasks of one kind are in progress: further ones are rejected at once. */
export class Slots {
  private taken = 0;

  constructor(private readonly options: SlotsOptions) {}

  /**
   * @param work may free its slot before it ends
   * @throws RetryLaterException (429) if all slots are taken; any error of `work`
   */
  async run<T>(work: (free: () => void) => Promise<T>): Promise<T> {
    const { max, retrySeconds, reason } = this.options;
    if (this.taken >= max) throw new RetryLaterException(retrySeconds, reason);
    this.taken += 1;
    let own = 1;
    const free = () => {
      this.taken -= own;
      own = 0;
    };
    try {
      return await work(free);
    } finally {
      free();
    }
  }
}
