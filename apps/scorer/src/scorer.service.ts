import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { bringPendingIntoForce } from '#libs/catalogue-store';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { DATABASE, isConnectionError, type Schema } from '#libs/database';
import { LargeAssets, type ScoredBatch, scorePartition } from '#libs/scores';
import { atScrape, changedScores, inSpan, scoredAssets, scoreTransactionSeconds } from '#libs/telemetry';
import { ScorePublishers } from './publish/score-publishers.ts';
import { reportScoreLag } from './score-lag.ts';

/** How late a finding's end shows in a score, and an import without a notification. */
const INTERVAL_MS = 1_000;
/** Rounds from one look for imports that were cut off to the next. */
const IMPORT_ROUNDS = 60;

/** Scores partitions; its own partitions also without a wake-up: findings expire, and catalogues are imported. */
@Injectable()
export class Scorer implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Scorer.name);
  private readonly held = new Map<number, { stopping: AbortController; running: Promise<void> }>();
  /** The scoring in progress of each partition: one at a time. */
  private readonly scoring = new Map<number, Promise<void>>();
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
    const stopping = new AbortController();
    this.publishers.hold(partition);
    this.held.set(partition, { stopping, running: this.run(partition, stopping.signal) });
  }

  /** Resolves when this process no longer scores the partition. */
  async release(partition: number): Promise<void> {
    const held = this.held.get(partition);
    this.held.delete(partition);
    held?.stopping.abort();
    await Promise.all([held?.running, this.publishers.release(partition)]);
    this.large.forget(partition);
  }

  /**
   * Resolves when everything is scored that was there at the call; at once while the clocks are not trusted. After the
   * batch in progress, if this process stops or releases the partition: its next owner scores the rest.
   */
  async score(partition: number): Promise<void> {
    const before = this.scoring.get(partition) ?? Promise.resolve();
    const released = this.held.get(partition)?.stopping.signal;
    const isEnded = () => this.stopping.signal.aborted || released?.aborted === true;
    const own = before.catch(() => undefined).then(() => this.scoreAll(partition, isEnded));
    this.scoring.set(partition, own);
    await own;
  }

  private async scoreAll(partition: number, isEnded: () => boolean): Promise<void> {
    // Scores of a time that is not trusted would have to be taken back; the next round looks again.
    if (this.clock.distrust) return;
    for (let batch: ScoredBatch | undefined; batch?.assets !== 0 && !isEnded(); ) {
      batch = await this.scoreNext(partition);
      if (batch.changes > 0) this.publishers.wake(partition);
    }
  }

  private async scoreNext(partition: number): Promise<ScoredBatch> {
    const ends = scoreTransactionSeconds.startTimer();
    const attributes = { 'posture.partition': partition };
    const batch = await inSpan('transaction', { attributes }, () =>
      scorePartition(this.db, partition, this.clock.now(), this.large),
    );
    if (batch.assets === 0) return batch;
    ends();
    scoredAssets.inc(batch.assets);
    changedScores.inc(batch.changes);
    return batch;
  }

  private async run(partition: number, signal: AbortSignal): Promise<void> {
    for (let round = 0; !signal.aborted; round++) {
      await this.round(partition, round).catch((error: Error) => this.logFailure(partition, error));
      await setTimeout(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Interrupted imports belong to no partition: the owner of the first one finishes them. */
  private async round(partition: number, round: number): Promise<void> {
    if (partition === 0 && round % IMPORT_ROUNDS === 0) await this.finishImports();
    await this.score(partition);
    // Another process may have scored it: it is woken for assets, and publishes nothing.
    this.publishers.wake(partition);
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
