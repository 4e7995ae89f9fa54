import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { FindingFilter } from './finding-conditions.ts';
import type { FindingTotalsDto } from './finding-counts.dto.ts';
import { type CountedFindings, FindingCountsRepository } from './finding-counts.repository.ts';

@Injectable()
export class FindingCounts {
  constructor(
    private readonly counts: FindingCountsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** How many findings match now. */
  async count(filter: FindingFilter): Promise<FindingTotalsDto> {
    return totalsOf(await this.counts.count(filter, this.clock()));
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
