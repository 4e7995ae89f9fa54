import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { AssetFindingsQuery, FindingItemDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { decodeCursor, type Page, pageFrom } from '../paging/page.ts';
import type { AssetDto } from './asset.dto.ts';
import type { AssetFilter } from './asset-filter.pipe.ts';
import { assetView } from './asset-view.ts';
import { AssetsRepository } from './assets.repository.ts';

@Injectable()
export class AssetsService {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly findings: FindingsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ page: { limit, cursor }, ...filter }: AssetFilter): Promise<Page<AssetDto>> {
    const after = Number(decodeCursor(cursor, 1)?.[0] ?? 0);
    const rows = await this.assets.list(filter, after, limit + 1);
    const counts = await this.assets.counts(
      rows.map(({ assetNo }) => assetNo),
      this.clock(),
    );
    return pageFrom(
      rows,
      limit,
      ({ assetNo }) => [assetNo],
      (row) => assetView(row, counts.get(row.assetNo)),
    );
  }

  /** @throws NotFoundException */
  async get(id: string): Promise<AssetDto> {
    const row = await this.assets.find(id);
    if (!row) throw new NotFoundException(`no asset has the id ${id}`);
    const counts = await this.assets.counts([row.assetNo], this.clock());
    return assetView(row, counts.get(row.assetNo));
  }

  /** @throws NotFoundException */
  async findingsOf(id: string, query: AssetFindingsQuery): Promise<Page<FindingItemDto>> {
    if (!(await this.assets.find(id))) throw new NotFoundException(`no asset has the id ${id}`);
    return this.findings.list({ ...query, assetId: id });
  }
}
