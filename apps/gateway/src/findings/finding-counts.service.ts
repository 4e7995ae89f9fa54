import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { Sla } from '#libs/domain';
import type { ReadingInstant } from '#libs/scores';
import type { RowLimits } from '#libs/tables';
import { pastInstant } from '../paging/as-of.ts';
import { type PastReader, PastReads } from '../paging/past-reads.ts';
import type { FindingFilter } from './finding-conditions.ts';
import type { FindingCountsQuery, FindingTotalsDto } from './finding-counts.dto.ts';
import { type CountedFindings, FindingCountsRepository } from './finding-counts.repository.ts';
import { FindingTotalsRepository } from './finding-totals.repository.ts';
import { FindingsAsOfRepository } from './findings-as-of.repository.ts';
import { pastFilter } from './past-filter.ts';
import { SettingsAtRepository } from './settings-at.repository.ts';
import { StoredFilters } from './stored-filters.ts';

@Injectable()
export class FindingCounts {
  constructor(
    private readonly totals: FindingTotalsRepository,
    private readonly counts: FindingCountsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    private readonly filters: StoredFilters,
    private readonly settings: SettingsAtRepository,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * How many findings match, now or at an instant.
   * @throws RetryLaterException (429) if too many read as much of the history
   */
  async count(
    { asOf, ...given }: FindingCountsQuery,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<FindingTotalsDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    return this.countAt(given, rows, { at: past ?? now, isPast: past !== null }, reader);
  }

  /**
   * As `count`, from the present rows or the history.
   * @param slaOfFilter by which the filter derives due dates; default: the SLA at the instant
   */
  async countAt(
    given: Omit<FindingCountsQuery, 'asOf'>,
    rows: RowLimits,
    { at, isPast }: ReadingInstant,
    reader: PastReader,
    slaOfFilter?: Sla | null,
  ): Promise<FindingTotalsDto> {
    const past = isPast ? at : null;
    const inForce = await this.settings.at(past);
    const sla = slaOfFilter === undefined ? inForce.sla : slaOfFilter;
    const filter = await this.filters.of(given, rows, { past, now: at }, { ...inForce, sla });
    return totalsOf(
      isPast
        ? await this.pastReads.run(reader, (read) =>
            this.findingsAsOf.count(pastFilter(filter), rows, at, read),
          )
        : await this.present(filter, rows, at),
    );
  }

  /** At `now`, in epoch ms: from totals if they answer it. */
  async present(filter: FindingFilter, rows: RowLimits, now: number): Promise<CountedFindings[]> {
    return (await this.totals.count(filter, rows, now)) ?? (await this.counts.count(filter, rows, now));
  }
}

function totalsOf(counted: CountedFindings[]): FindingTotalsDto {
  const by = (kind: 'state' | 'type' | 'severityLevel' | 'assetType') => {
    const totals = new Map<string, number>();
    for (const group of counted) totals.set(group[kind], (totals.get(group[kind]) ?? 0) + group.count);
    return Object.fromEntries(totals);
  };
  return {
    total: counted.reduce((sum, { count }) => sum + count, 0),
    state: by('state'),
    type: by('type'),
    severityLevel: by('severityLevel'),
    assetType: by('assetType'),
  };
}
