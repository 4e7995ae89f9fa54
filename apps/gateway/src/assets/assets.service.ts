import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isPageFull, type RowLimits } from '#libs/tables';
import { assetDetail, assetView, type FindingCounts, pointsOf } from '#libs/views';
import type { AssetFindingsQuery, FindingItemDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { SettingsAtRepository } from '../findings/settings-at.repository.ts';
import { type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { type Page, pageFrom } from '../paging/page.ts';
import { type PastRead, type PastReader, PastReads } from '../paging/past-reads.ts';
import { cursorKeys, listOrder } from '../paging/sort.ts';
import { assertPastSort } from '../paging/sorted-past.ts';
import type { AssetDetailDto, AssetDto } from './asset.dto.ts';
import type { AssetFilter } from './asset-filter.pipe.ts';
import type { AssetRow } from './asset-row.ts';
import { ASSET_NUMBERS, ASSET_SORTS } from './asset-sorts.ts';
import { AssetsRepository } from './assets.repository.ts';
import { AssetsAsOfRepository, assetSortsAt } from './assets-as-of.repository.ts';
import { notSeenCondition } from './not-seen.ts';

@Injectable()
export class AssetsService {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly assetsAsOf: AssetsAsOfRepository,
    private readonly findings: FindingsService,
    private readonly settings: SettingsAtRepository,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws BadRequestException if the cursor does not belong to this list, and for more assets than can be sorted as of
   * an instant, or with `notSeenDays`; RetryLaterException (429) if too many read as much of the history
   */
  async list(
    { page: { limit, cursor, sort }, asOf, ...given }: AssetFilter,
    rowLimits: RowLimits,
    reader: PastReader,
  ): Promise<Page<AssetDto>> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const filter = { ...given, rows: rowLimits, ...notSeenCondition(given.filter, past, now) };
    if (past !== null && sort !== undefined) {
      const hasMoreThan = (max: number) => this.assetsAsOf.areMoreThan(max);
      await assertPastSort({ things: 'assets', rows: rowLimits, hasMoreThan, remedy: 'omit sort' });
    }
    const sorts = past === null ? ASSET_SORTS : assetSortsAt(past);
    const order = listOrder(sorts, ASSET_NUMBERS, { sort, cursor });
    const { rows, counts } = await this.pastReads.run(reader, async (read) => {
      const listed =
        past === null
          ? await this.assets.list(filter, order, limit + 1)
          : await this.assetsAsOf.list(filter, past, order, limit + 1, read);
      return { rows: listed, counts: await this.counts(listed, past, now, read) };
    });
    const { ownerRules } = await this.settings.at(past);
    return pageFrom(
      rows,
      limit,
      ({ assetNo, sortKey }) => cursorKeys(sort, sortKey, [assetNo]),
      (row) => assetView(row, counts.get(row.assetNo), pointsOf(row.score), ownerRules),
      isPageFull(rows, limit + 1),
    );
  }

  /**
   * @throws NotFoundException; also if there was no such asset yet at `asOf`. RetryLaterException (429) if too many read
   *   as much of the history
   */
  async get(id: string, { asOf }: AsOfQuery, rows: RowLimits, reader: PastReader): Promise<AssetDetailDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const row = await this.find(id, past, rows);
    const counts = await this.pastReads.run(reader, (read) => this.counts([row], past, now, read));
    const { ownerRules } = await this.settings.at(past);
    return assetDetail(row, counts.get(row.assetNo), pointsOf(row.score), ownerRules);
  }

  /** @throws NotFoundException; also if there was no such asset yet at `asOf` */
  async findingsOf(
    id: string,
    query: AssetFindingsQuery,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<Page<FindingItemDto>> {
    await this.find(id, pastInstant(query.asOf, this.clock()), rows);
    return this.findings.list({ ...query, assetId: id }, rows, reader);
  }

  private async find(id: string, past: number | null, rows: RowLimits): Promise<AssetRow> {
    const row = past === null ? await this.assets.find(id, rows) : await this.assetsAsOf.find(id, past, rows);
    if (!row) throw new NotFoundException(`no asset ${past === null ? 'has' : 'had'} the id ${id}`);
    return row;
  }

  private counts(
    rows: AssetRow[],
    past: number | null,
    now: number,
    read: PastRead,
  ): Promise<Map<number, FindingCounts>> {
    const assetNos = rows.map(({ assetNo }) => assetNo);
    return past === null ? this.assets.counts(assetNos, now) : this.assetsAsOf.counts(assetNos, past, read);
  }
}
