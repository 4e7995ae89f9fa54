import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { StoredRecord } from '#libs/event-log';
import { foldDelaySeconds } from '#libs/telemetry';

/** More than the clock difference in a cluster, and than the wait of a batch on an idle system. */
const BEHIND_MS = 1_000;
/** As long as a batch may take, and the next one follows. */
const HOLDS_MS = 500;
/** Of the time in which publishers work. */
const REST_SHARE = 3;
const REST_MS_MAX = 1_000;

/**
 * While the fold is behind the log it goes first: publishing then works a quarter of its time, so that subscribers
 * still receive every change in order, and uploads are queryable sooner (docs/performance.md).
 */
@Injectable()
export class FoldBacklog {
  /** By the monotonic clock: one that is set back would slow publishers down. */
  private behindUntil = Number.NEGATIVE_INFINITY;

  constructor(@Inject(CLOCK) private readonly now: Clock) {}

  /** Called for each batch that was folded. */
  folded(records: readonly StoredRecord[]): void {
    const now = this.now();
    foldDelaySeconds.observe(Math.max(0, now - records[0]!.storedAt) / 1000);
    if (now - records.at(-1)!.storedAt > BEHIND_MS) this.behindUntil = performance.now() + HOLDS_MS;
  }

  /** How long a publisher rests after a batch, by how long it took; both in ms. */
  restAfter(workedMs: number): number {
    return performance.now() < this.behindUntil ? Math.min(REST_SHARE * workedMs, REST_MS_MAX) : 0;
  }
}
