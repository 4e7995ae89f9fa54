import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { RetryLaterException } from '../http/http-errors.ts';

/** Questions at a time in this process that go through many assets. */
const RUNNING_MAX = 2;
/** Requests that wait for a slot: the console sends two each time it is opened. */
const WAITING_MAX = 8;
const RETRY_SECONDS = 5;

/** Bounds how much of the process and of the database goes to scores that are not cached, and to the ATT&CK matrix. */
@Injectable()
export class ScoreSlots {
  private readonly limit = pLimit(RUNNING_MAX);

  /** @throws RetryLaterException (429) if as many as may wait already; any error of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.limit.pendingCount >= WAITING_MAX) throw new RetryLaterException(RETRY_SECONDS, 'score_queue');
    return this.limit(work);
  }
}
