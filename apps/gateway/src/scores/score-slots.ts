import { Injectable } from '@nestjs/common';
import { RetryLaterException } from '../http/http-errors.ts';

/** Questions at a time in this process that go through many assets. */
const RUNNING_MAX = 2;
const RETRY_SECONDS = 5;

/** Bounds how much of the process and of the database goes to scores that nobody has computed before. */
@Injectable()
export class ScoreSlots {
  private running = 0;

  /** @throws RetryLaterException (429) where as many as may are under way; whatever `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= RUNNING_MAX) throw new RetryLaterException(RETRY_SECONDS);
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }
}
