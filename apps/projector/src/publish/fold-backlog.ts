import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { StoredRecord } from '#libs/event-log';
import { foldDelaySeconds } from '#libs/telemetry';

/** Above what clocks of a cluster differ by, and what a batch waits for on a quiet system. */
const BEHIND_MS = 1_000;
/** As long as a batch may take, and the next one follows. */
const HOLDS_MS = 500;
/** Of the time in which publishers work. */
const REST_SHARE = 3;
const REST_MS_MAX = 1_000;

/**
 * While the fold is behind the log it goes first: publishing then works a quarter of its time, so that subscribers
 * still hear of every change in order, and what was sent is queryable the sooner (docs/performance.md).
 */
@Injectable()
export class FoldBacklog {
  private behindUntil = Number.NEGATIVE_INFINITY;

  constructor(@Inject(CLOCK) private readonly now: Clock) {}

  /** Told of each batch that was folded. */
  folded(records: readonly StoredRecord[]): void {
    const now = this.now();
    foldDelaySeconds.observe(Math.max(0, now - records[0]!.storedAt) / 1000);
    if (now - records.at(-1)!.storedAt > BEHIND_MS) this.behindUntil = now + HOLDS_MS;
  }

  /** How long whoever publishes rests after a batch, by how long it took; both in ms. */
  restAfter(workedMs: number): number {
    return this.now() < this.behindUntil ? Math.min(REST_SHARE * workedMs, REST_MS_MAX) : 0;
  }
}
