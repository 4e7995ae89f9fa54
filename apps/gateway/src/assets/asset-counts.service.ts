import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { RowLimits } from '#libs/tables';
import { pastInstant } from '../paging/as-of.ts';
import { type PastReader, PastReads } from '../paging/past-reads.ts';
import type { AssetTotalsDto } from './asset-counts.dto.ts';
import { AssetCountsRepository, type CountedAssets } from './asset-counts.repository.ts';
import type { AssetCountsFilter } from './asset-filter.pipe.ts';
import { notSeenCondition } from './not-seen.ts';

@Injectable()
export class AssetCounts {
  constructor(
    private readonly counts: AssetCountsRepository,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * How many live assets match, now or at an instant.
   * @throws RetryLaterException (429) if too many read as much of the history
   */
  async count(
    { asOf, ...given }: AssetCountsFilter,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<AssetTotalsDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const conditions = { ...given, rows, ...notSeenCondition(given.filter, past, now) };
    return totalsOf(
      past === null
        ? await this.counts.count(conditions)
        : await this.pastReads.run(reader, (read) => this.counts.countAt(conditions, past, read)),
    );
  }
}

function totalsOf(counted: CountedAssets[]): AssetTotalsDto {
  const of = (kind: CountedAssets['kind']) =>
    Object.fromEntries(counted.filter((one) => one.kind === kind).map(({ value, count }) => [value, count]));
  return {
    total: counted.find(({ kind }) => kind === 'total')?.count ?? 0,
    type: of('type'),
    attackSurface: of('attackSurface'),
    department: of('department'),
    location: of('location'),
    criticality: of('criticality'),
  };
}
