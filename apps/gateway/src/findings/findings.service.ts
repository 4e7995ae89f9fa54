import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { SubjectKeys } from '#libs/subject-keys';
import { isPageFull, type RowLimits, type WeighedRow } from '#libs/tables';
import { findingItem, findingView, type SeenFinding, seenAt } from '#libs/views';
import { type AsOfPageQuery, type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { cursorKeys, listOrder } from '../paging/sort.ts';
import { PAST_SORTED_MAX, refuseLimitedPastSort, refuseToSortPast } from '../paging/sorted-past.ts';
import { CataloguesRepository } from './catalogues.repository.ts';
import { DecisionsRepository } from './decisions.repository.ts';
import type { FindingDto, FindingItemDto, FindingsQuery, HistoryPageDto } from './finding.dto.ts';
import { findingMappings } from './finding-mappings.ts';
import { FINDING_NUMBERS, FINDING_SORTS } from './finding-sorts.ts';
import { FindingsRepository } from './findings.repository.ts';
import { FindingsAsOfRepository, findingSortsAt } from './findings-as-of.repository.ts';
import { historyItem } from './history-item.ts';
import { pastFilter } from './past-filter.ts';
import { pastFinding } from './past-finding.ts';
import type { FindingNumbers } from './read-history.ts';
import { storedFilter } from './stored-filter.ts';

@Injectable()
export class FindingsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    private readonly catalogues: CataloguesRepository,
    private readonly decisions: DecisionsRepository,
    private readonly keys: SubjectKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws BadRequestException if the cursor does not belong to this list, for more findings than can be sorted as of an
   * instant, and for a filter by decision as of one
   */
  async list(
    { limit, cursor, asOf, sort, ...given }: FindingsQuery,
    rowLimits: RowLimits,
  ): Promise<Page<FindingItemDto>> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const stored = await storedFilter(this.keys, given, past ?? now);
    const filter = past === null ? stored : pastFilter(stored);
    const sorts = past === null ? FINDING_SORTS : findingSortsAt(past);
    const order = listOrder(sorts, FINDING_NUMBERS, { sort, cursor });
    if (past !== null && order.key) refuseLimitedPastSort(rowLimits);
    if (past !== null && order.key && (await this.findingsAsOf.hasMoreThan(filter, PAST_SORTED_MAX))) {
      refuseToSortPast('findings', 'filter by type or assetId, or omit sort');
    }
    const rows: (FindingNumbers & WeighedRow & { seen: SeenFinding; sortKey: string | null })[] =
      past === null
        ? (await this.findings.list(filter, rowLimits, now, order, limit + 1)).map((row) => ({
            ...row,
            seen: seenAt(row, now),
          }))
        : (await this.findingsAsOf.list(filter, rowLimits, past, order, limit + 1)).map((row) => ({
            ...row,
            seen: pastFinding(row, past),
          }));
    const catalogue = await this.catalogues.of(
      rows.map(({ seen }) => seen.finding),
      past ?? now,
    );
    const decisions = await this.decisions.of(rows, past, catalogue);
    return pageFrom(
      rows,
      limit,
      ({ assetNo, findingNo, sortKey }) => cursorKeys(sort, sortKey, [assetNo, findingNo]),
      ({ seen }) => ({ ...findingItem(seen, catalogue), ssvc: decisions.get(seen.finding.id) ?? null }),
      isPageFull(rows, limit + 1),
    );
  }

  /** @throws NotFoundException; also if there was no such finding yet at `asOf` */
  async get(id: string, { asOf }: AsOfQuery, rows: RowLimits): Promise<FindingDto> {
    const { past, now, ...row } = await this.find(id, asOf, rows);
    const catalogue = await this.catalogues.of([row.seen.finding], past ?? now);
    const decisions = await this.decisions.of([row], past, catalogue);
    const view = findingView(row.seen, catalogue);
    return { ...view, ssvc: decisions.get(id) ?? null, mappings: findingMappings(view, catalogue) };
  }

  /** @throws NotFoundException; also if there was no such finding yet at `asOf` */
  async history(
    id: string,
    { limit, cursor, asOf }: AsOfPageQuery,
    rowLimits: RowLimits,
  ): Promise<HistoryPageDto> {
    const after = decodeKeys(cursor, 'number')?.[0] ?? 0;
    const past = pastInstant(asOf, this.clock());
    const finding = await this.find(id, asOf, rowLimits);
    const range = { after, limit: limit + 1, until: past ?? undefined };
    const rows = await this.findings.history(finding, range, rowLimits, (row, before) => ({
      sequence: row.sequence,
      item: historyItem(row, before),
    }));
    const integrations = await this.findings.integrationsOf(rows.map(({ item }) => item.cause.syncId));
    const page = pageFrom(
      rows,
      limit,
      ({ sequence }) => [sequence],
      ({ item }) => ({
        ...item,
        cause: { ...item.cause, integrationId: integrations.get(item.cause.syncId) ?? null },
      }),
    );
    return { ...page, removed: after === 0 ? await this.findings.removedHistory(finding) : null };
  }

  /** Also returns the instant of the read: a past one, or null and the present. */
  private async find(
    id: string,
    asOf: number | undefined,
    rows: RowLimits,
  ): Promise<FindingNumbers & { seen: SeenFinding; past: number | null; now: number }> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    if (past === null) {
      const row = await this.findings.find(id, rows);
      if (row) return { ...row, seen: seenAt(row, now), past, now };
    } else {
      const row = await this.findingsAsOf.find(id, past, rows);
      if (row) return { ...row, seen: pastFinding(row, past), past, now };
    }
    throw new NotFoundException(`no finding ${past === null ? 'has' : 'had'} the id ${id}`);
  }
}
