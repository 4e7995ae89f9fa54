import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CompiledQuery, type Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { countTotals, type TotalsProgress } from '#libs/projection';
import { HeldPartitions } from '../held-partitions.ts';

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
export class TotalsCounts extends HeldPartitions {
  private readonly logger = new Logger(TotalsCounts.name);

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {
    super();
  }

  protected async run(partition: number, signal: AbortSignal): Promise<void> {
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
