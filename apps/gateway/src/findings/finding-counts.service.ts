import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { SubjectKeys } from '#libs/subject-keys';
import type { RowLimits } from '#libs/tables';
import { pastInstant } from '../paging/as-of.ts';
import type { FindingCountsQuery, FindingTotalsDto } from './finding-counts.dto.ts';
import { type CountedFindings, FindingCountsRepository } from './finding-counts.repository.ts';
import { FindingsAsOfRepository } from './findings-as-of.repository.ts';
import { pastFilter } from './past-filter.ts';
import { storedFilter } from './stored-filter.ts';

@Injectable()
export class FindingCounts {
  constructor(
    private readonly counts: FindingCountsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    private readonly keys: SubjectKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** How many findings match, now or at an instant. */
  async count({ asOf, ...given }: FindingCountsQuery, rows: RowLimits): Promise<FindingTotalsDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const filter = await storedFilter(this.keys, given, past ?? now);
    return totalsOf(
      past === null
        ? await this.counts.count(filter, rows, now)
        : await this.findingsAsOf.count(pastFilter(filter), rows, past),
    );
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
