import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { ReadingInstant } from '#libs/scores';
import { pastInstant } from '../paging/as-of.ts';
import { ProjectionPositions } from '../projection/projection-positions.repository.ts';

/** Until then, everything that a gateway dates before an instant is in the log and, unless there is a backlog, folded. */
const SETTLED_MS = 1_000;

/** Composes reports as of an instant, so that each is the same when it is requested again. */
@Injectable()
export class ReportInstants {
  constructor(
    private readonly positions: ProjectionPositions,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * Without `asOf`, the report is of a second ago: from the present rows, which is faster, if nothing later is folded
   * before it is complete.
   */
  async compose<Report>(
    asOf: number | undefined,
    work: (instant: ReadingInstant) => Promise<Report>,
  ): Promise<Report> {
    const now = this.now();
    const past = pastInstant(asOf, now);
    const at = past ?? Math.max(now - SETTLED_MS, 0);
    if (past === null && (await this.positions.areUpTo(at))) {
      const report = await work({ at, isPast: false });
      if (await this.positions.areUpTo(at)) return report;
    }
    return work({ at, isPast: true });
  }
}
