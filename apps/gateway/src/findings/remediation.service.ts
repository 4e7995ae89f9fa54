import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { DAY_MS, isoTime, SEVERITY_LEVELS } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { pastInstant } from '../paging/as-of.ts';
import { type PastReader, PastReads, ROWS_WITHOUT_PLACE } from '../paging/past-reads.ts';
import type { RemediationFiguresDto, RemediationQuery, TimesToRemediateDto } from './remediation.dto.ts';
import {
  lastWeek,
  type MeasuredPeriods,
  RemediationRepository,
  type RemediationWindow,
  WEEK_MS,
} from './remediation.repository.ts';
import { SettingsAtRepository } from './settings-at.repository.ts';
import { StoredFilters } from './stored-filters.ts';

@Injectable()
export class Remediation {
  constructor(
    private readonly periods: RemediationRepository,
    private readonly settings: SettingsAtRepository,
    private readonly filters: StoredFilters,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Times to remediate and reopen rate of the failing periods that ended in the days before now, or before `asOf`.
   * @throws RetryLaterException (429) if too many read the history
   */
  async measure(
    { asOf, days, ...given }: RemediationQuery,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<TimesToRemediateDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const to = past ?? now;
    const window = { from: to - days * DAY_MS, to };
    const filter = await this.filters.of(given, rows, { past, now }, await this.settings.at(past));
    const measured = await this.pastReads.run(reader, async (read) => {
      // How many changes the window has is not known before they are read.
      if (past !== null) await read.step(ROWS_WITHOUT_PLACE + 1);
      return this.periods.measure(filter, rows, window, past !== null);
    });
    return remediationOf(measured, window);
  }
}

function remediationOf(measured: MeasuredPeriods[], window: RemediationWindow): TimesToRemediateDto {
  const figures = (isMeant: (one: MeasuredPeriods) => boolean) => figuresOf(measured.find(isMeant));
  const weeks = Array.from({ length: lastWeek(window) + 1 }, (_, week) => week).toReversed();
  return {
    from: isoTime(window.from),
    to: isoTime(window.to),
    total: figures(({ severityLevel, week }) => severityLevel === null && week === null),
    bySeverity: SEVERITY_LEVELS.flatMap(([level]) => {
      const found = measured.find(({ severityLevel }) => severityLevel === level);
      return found ? [{ severityLevel: level, ...figuresOf(found) }] : [];
    }),
    byWeek: weeks.map((week) => ({
      from: isoTime(Math.max(window.from, window.to - (week + 1) * WEEK_MS)),
      to: isoTime(window.to - week * WEEK_MS),
      ...figures((one) => one.week === week),
    })),
  };
}

/** @param measured undefined: no period ended */
function figuresOf(measured: MeasuredPeriods | undefined): RemediationFiguresDto {
  const {
    remedied = 0,
    reopened = 0,
    endedOtherwise = 0,
    meanMs = null,
    percentilesMs = null,
  } = measured ?? {};
  return {
    remedied,
    reopened,
    reopenRate: remedied === 0 ? null : reopened / remedied,
    medianSeconds: secondsOf(percentilesMs?.[0]),
    meanSeconds: secondsOf(meanMs),
    p90Seconds: secondsOf(percentilesMs?.[1]),
    endedOtherwise,
  };
}

const secondsOf = (ms: number | null | undefined): number | null =>
  typeof ms === 'number' ? Math.round(ms / 1000) : null;
