import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { RowLimits } from '#libs/tables';
import { pastInstant } from '../paging/as-of.ts';
import { type PastReader, PastReads } from '../paging/past-reads.ts';
import { CataloguesRepository } from './catalogues.repository.ts';
import type { FindingFilter } from './finding-conditions.ts';
import { FindingCounts } from './finding-counts.service.ts';
import type { FindingGroupsDto, FindingGroupsQuery, Grouping } from './finding-groups.dto.ts';
import { FindingGroupsRepository } from './finding-groups.repository.ts';
import { FindingsAsOfRepository } from './findings-as-of.repository.ts';
import { shownNumbers } from './group-numbers.ts';
import { pastFilter } from './past-filter.ts';
import { SettingsAtRepository } from './settings-at.repository.ts';
import { StoredFilters } from './stored-filters.ts';

@Injectable()
export class FindingGroups {
  constructor(
    private readonly groups: FindingGroupsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    private readonly counts: FindingCounts,
    private readonly filters: StoredFilters,
    private readonly settings: SettingsAtRepository,
    private readonly catalogues: CataloguesRepository,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The groups with most findings, now or at an instant.
   * @throws RetryLaterException (429) if too many read as much of the history
   */
  async group(
    { by, limit, asOf, ...given }: FindingGroupsQuery,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<FindingGroupsDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const filter = await this.filters.of(given, rows, { past, now }, await this.settings.at(past));
    const { groups, totalGroups, withoutGroup } =
      past === null
        ? await this.present(by, filter, rows, now, limit)
        : await this.pastReads.run(reader, (read) =>
            this.findingsAsOf.group(by, pastFilter(filter), rows, past, read, limit),
          );
    const techniques = by === 'technique' ? await this.catalogues.techniques(past ?? now) : null;
    return {
      by,
      groups: groups.map(({ key, name, ...numbers }) => ({
        key,
        name: techniques ? (techniques.techniqueOf(key)?.name ?? null) : name,
        ...shownNumbers(numbers),
      })),
      totalGroups,
      withoutGroup,
    };
  }

  private async present(by: Grouping, filter: FindingFilter, rows: RowLimits, now: number, limit: number) {
    const { grouped, ...counted } = await this.groups.group(by, filter, rows, now, limit);
    if (by === 'asset' || by === 'title') return { ...counted, withoutGroup: 0 };
    const matching = await this.counts.present(filter, rows, now);
    const total = matching.reduce((sum, { count }) => sum + count, 0);
    // Findings can have changed between the two statements.
    return { ...counted, withoutGroup: Math.max(0, total - grouped) };
  }
}
