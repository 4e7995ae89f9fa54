import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import { bringPendingIntoForce } from '#libs/catalogue-store';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { DATABASE, isConnectionError, type Schema } from '#libs/database';
import { WakeUp } from '#libs/event-log';
import { LargeAssets, type ScoredBatch, scorePartition } from '#libs/scores';
import {
  atScrape,
  changedScores,
  currentTraceparent,
  inSpan,
  type SpanOptions,
  scoredAssets,
  scoreTransactionSeconds,
} from '#libs/telemetry';
import { ScorePublishers } from './publish/score-publishers.ts';
import { reportScoreLag } from './score-lag.ts';

/** How late a finding's end shows in a score, and an import without a notification. */
const INTERVAL_MS = 1_000;
/** After changes: the next ones are scored together, as each transaction costs as much as several assets. */
const REST_MS = 250;
/** Over all partitions of a process: bounds memory. */
const BATCHES_AT_ONCE = 4;
/** Traces that a transaction names. */
const CAUSES_MAX = 32;
/** Rounds from one look for imports that were cut off to the next. */
const IMPORT_ROUNDS = 60;

interface HeldPartition {
  stopping: AbortController;
  /** Rings when there may be changes. */
  news: WakeUp;
  /** `traceparent` of the first traced batches of records that have rung since the last round began. */
  causes: string[];
  /** Of the last round; omitted: it succeeded. */
  failure?: Error;
  running: Promise<void>;
}

/** Scores partitions; its own partitions also without a wake-up: findings expire, and catalogues are imported. */
@Injectable()
export class Scorer implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Scorer.name);
  private readonly held = new Map<number, HeldPartition>();
  private readonly slots = pLimit(BATCHES_AT_ONCE);
  private readonly large = new LargeAssets();
  private readonly stopping = new AbortController();
  private unregister = () => {};

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly publishers: ScorePublishers,
  ) {}

  onModuleInit(): void {
    this.unregister = atScrape('score lag', () => reportScoreLag(this.db));
  }

  onModuleDestroy(): void {
    this.stopping.abort();
    this.unregister();
  }

  hold(partition: number): void {
    const held: HeldPartition = {
      stopping: new AbortController(),
      news: new WakeUp(),
      causes: [],
      running: Promise.resolve(),
    };
    this.publishers.hold(partition);
    this.held.set(partition, held);
    held.running = this.run(partition, held);
  }

  /** Resolves when this process no longer scores the partition. */
  async release(partition: number): Promise<void> {
    const held = this.held.get(partition);
    this.held.delete(partition);
    held?.stopping.abort();
    held?.news.ring();
    await Promise.all([held?.running, this.publishers.release(partition)]);
    this.large.forget(partition);
  }

  /**
   * There may be changes to score. Of a partition that another process holds, they are scored at once: it may not have
   * been woken.
   * @throws what the last round of the partition failed with
   */
  async wake(partition: number): Promise<void> {
    const held = this.held.get(partition);
    if (!held) {
      await this.scoreAll(partition, () => this.stopping.signal.aborted);
      return;
    }
    const cause = currentTraceparent();
    if (cause !== undefined && held.causes.length < CAUSES_MAX) held.causes.push(cause);
    held.news.ring();
    if (held.failure) throw held.failure;
  }

  /**
   * Scores what was there at the call; nothing while the clocks are not trusted. Ends after the batch in progress if
   * `isEnded`: the next owner of the partition scores the rest.
   * @param causes the `traceparent` of each; omitted: the current span
   * @returns whether there was anything
   */
  private async scoreAll(
    partition: number,
    isEnded: () => boolean,
    causes: readonly string[] = [],
  ): Promise<boolean> {
    // Scores of a time that is not trusted would have to be taken back; the next round looks again.
    if (this.clock.distrust) return false;
    let hasScored = false;
    for (let hasMore = true; hasMore && !isEnded(); ) {
      const batch = await this.slots(() => this.scoreNext(partition, causes));
      if (batch.changes > 0) this.publishers.wake(partition);
      hasScored ||= batch.assets > 0;
      hasMore = batch.hasMore;
    }
    return hasScored;
  }

  private async scoreNext(partition: number, [parent, ...links]: readonly string[]): Promise<ScoredBatch> {
    const ends = scoreTransactionSeconds.startTimer();
    const options: SpanOptions = { attributes: { 'posture.partition': partition }, parent, links };
    const batch = await inSpan('transaction', options, () =>
      scorePartition(this.db, partition, this.clock.now(), this.large),
    );
    if (batch.assets === 0) return batch;
    ends();
    scoredAssets.inc(batch.assets);
    changedScores.inc(batch.changes);
    return batch;
  }

  private async run(partition: number, held: HeldPartition): Promise<void> {
    const { news } = held;
    const { signal } = held.stopping;
    for (let round = 0; !signal.aborted; round++) {
      let hasScored = false;
      try {
        hasScored = await this.round(partition, round, held);
        delete held.failure;
      } catch (error) {
        held.failure = error as Error;
        this.logFailure(partition, held.failure);
      }
      if (hasScored) await setTimeout(REST_MS, undefined, { signal }).catch(() => undefined);
      else if (!signal.aborted) await news.wait(INTERVAL_MS);
    }
  }

  /** Interrupted imports belong to no partition: the owner of the first one finishes them. */
  private async round(partition: number, round: number, held: HeldPartition): Promise<boolean> {
    if (partition === 0 && round % IMPORT_ROUNDS === 0) await this.finishImports();
    const isEnded = () => held.stopping.signal.aborted || this.stopping.signal.aborted;
    const hasScored = await this.scoreAll(partition, isEnded, held.causes.splice(0));
    // Another process may have scored it: it is woken for assets, and publishes nothing.
    this.publishers.wake(partition);
    return hasScored;
  }

  private async finishImports(): Promise<void> {
    try {
      await bringPendingIntoForce(this.db);
    } catch (error) {
      this.logger.warn(
        `catalogue import: rescoring not finished, will continue: ${(error as Error).message}`,
      );
    }
  }

  private logFailure(partition: number, error: Error): void {
    if (isConnectionError(error))
      this.logger.warn(`partition ${partition}: scoring paused, will retry: ${error.message}`);
    else
      this.logger.error(`partition ${partition}: scoring failed, will retry: ${error.message}`, error.stack);
  }
}
