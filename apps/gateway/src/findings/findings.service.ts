import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { decodeCursor, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import type { FindingDto, FindingItemDto, FindingsQuery, HistoryItemDto } from './finding.dto.ts';
import { findingItem, findingView, historyItem } from './finding-view.ts';
import { type FindingRow, FindingsRepository } from './findings.repository.ts';

@Injectable()
export class FindingsService {
  constructor(
    private readonly findings: FindingsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ limit, cursor, ...filter }: FindingsQuery): Promise<Page<FindingItemDto>> {
    const now = this.clock();
    const keys = decodeCursor(cursor, 2);
    const after: [number, number] | null = keys && [Number(keys[0]), Number(keys[1])];
    const rows = await this.findings.list(filter, now, after, limit + 1);
    return pageFrom(
      rows,
      limit,
      ({ assetNo, findingNo }) => [assetNo, findingNo],
      (row) => findingItem(row, now),
    );
  }

  /** @throws NotFoundException */
  async get(id: string): Promise<FindingDto> {
    return findingView(await this.row(id), this.clock());
  }

  /** @throws NotFoundException */
  async history(id: string, { limit, cursor }: PageQuery): Promise<Page<HistoryItemDto>> {
    const after = Number(decodeCursor(cursor, 1)?.[0] ?? 0);
    const rows = await this.findings.history(await this.row(id), after, limit + 1);
    return pageFrom(rows, limit, ({ sequence }) => [sequence], historyItem);
  }

  private async row(id: string): Promise<FindingRow> {
    const row = await this.findings.find(id);
    if (!row) throw new NotFoundException(`no finding has the id ${id}`);
    return row;
  }
}
