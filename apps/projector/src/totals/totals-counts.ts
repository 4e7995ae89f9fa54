import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CompiledQuery, type Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { countTotals, type TotalsProgress } from '#libs/projection';

/** Findings of one step, for which the fold of the partition waits: a tenth of a second. */
const FINDINGS_MAX = 20_000;
/** Between two steps, so that the fold continues. */
const PAUSE_MS = 100;
/** Until it is checked again whether the totals are complete. */
const INTERVAL_MS = 30_000;
const REPORT_INTERVAL_MS = 10_000;

/**
 * Counts the findings of the partitions that this process owns if their totals are not complete: after the migration
 * that created them, or if a projector of an earlier version has folded since (ADR-0125).
 */
@Injectable()
export class TotalsCounts {
  private readonly logger = new Logger(TotalsCounts.name);
  private readonly held = new Map<number, { stopping: AbortController; running: Promise<void> }>();

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  hold(partition: number): void {
    const stopping = new AbortController();
    this.held.set(partition, { stopping, running: this.run(partition, stopping.signal) });
  }

  /** Resolves when nothing more of the partition is counted. */
  async release(partition: number): Promise<void> {
    const counting = this.held.get(partition);
    this.held.delete(partition);
    counting?.stopping.abort();
    await counting?.running;
  }

  private async run(partition: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.countAll(partition, signal).catch((error: Error) =>
        this.logger.warn(
          `partition ${partition}: count of its findings failed, will retry: ${error.message}`,
        ),
      );
      await setTimeout(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async countAll(partition: number, signal: AbortSignal): Promise<void> {
    let reportedAt = 0;
    while (!signal.aborted) {
      const progress = await this.step(partition);
      if (progress === null) {
        if (reportedAt > 0)
          this.logger.log(`partition ${partition}: the totals of its findings are complete`);
        return;
      }
      if (performance.now() - reportedAt > REPORT_INTERVAL_MS) {
        reportedAt = performance.now();
        const { countedAssets, assets } = progress;
        this.logger.log(
          `partition ${partition}: findings of ${countedAssets} of ${assets} assets are counted`,
        );
      }
      await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private step(partition: number): Promise<TotalsProgress | null> {
    return this.db
      .transaction()
      .execute((trx) =>
        countTotals(
          (statement, values) => trx.executeQuery(CompiledQuery.raw(statement, values)),
          partition,
          FINDINGS_MAX,
        ),
      );
  }
}
