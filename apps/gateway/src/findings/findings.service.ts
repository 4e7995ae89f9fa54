import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { type AsOfPageQuery, type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { decodeCursor, type Page, pageFrom } from '../paging/page.ts';
import type { FindingDto, FindingItemDto, FindingsQuery, HistoryItemDto } from './finding.dto.ts';
import {
  findingItem,
  findingView,
  historyItem,
  pastFinding,
  presentFinding,
  type SeenFinding,
} from './finding-view.ts';
import { FindingsRepository } from './findings.repository.ts';
import { FindingsAsOfRepository } from './findings-as-of.repository.ts';
import type { FindingNumbers } from './read-history.ts';

@Injectable()
export class FindingsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BadRequestException where the cursor is none of this list's */
  async list({ limit, cursor, asOf, ...filter }: FindingsQuery): Promise<Page<FindingItemDto>> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const keys = decodeCursor(cursor, 2);
    const after: [number, number] | null = keys && [Number(keys[0]), Number(keys[1])];
    const rows: (FindingNumbers & { seen: SeenFinding })[] =
      past === null
        ? (await this.findings.list(filter, now, after, limit + 1)).map((row) => ({
            ...row,
            seen: presentFinding(row, now),
          }))
        : (await this.findingsAsOf.list(filter, past, after, limit + 1)).map((row) => ({
            ...row,
            seen: pastFinding(row, past),
          }));
    return pageFrom(
      rows,
      limit,
      ({ assetNo, findingNo }) => [assetNo, findingNo],
      ({ seen }) => findingItem(seen),
    );
  }

  /** @throws NotFoundException; also where there was no such finding yet at `asOf` */
  async get(id: string, { asOf }: AsOfQuery): Promise<FindingDto> {
    return findingView((await this.find(id, asOf)).seen);
  }

  /** @throws NotFoundException; also where there was no such finding yet at `asOf` */
  async history(id: string, { limit, cursor, asOf }: AsOfPageQuery): Promise<Page<HistoryItemDto>> {
    const after = Number(decodeCursor(cursor, 1)?.[0] ?? 0);
    const past = pastInstant(asOf, this.clock());
    const finding = await this.find(id, asOf);
    const rows =
      past === null
        ? await this.findings.history(finding, after, limit + 1)
        : await this.findingsAsOf.history(finding, past, after, limit + 1);
    return pageFrom(rows, limit, ({ sequence }) => [sequence], historyItem);
  }

  private async find(id: string, asOf: number | undefined): Promise<FindingNumbers & { seen: SeenFinding }> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    if (past === null) {
      const row = await this.findings.find(id);
      if (row) return { ...row, seen: presentFinding(row, now) };
    } else {
      const row = await this.findingsAsOf.find(id, past);
      if (row) return { ...row, seen: pastFinding(row, past) };
    }
    throw new NotFoundException(`no finding ${past === null ? 'has' : 'had'} the id ${id}`);
  }
}
