import { BadRequestException, Injectable } from '@nestjs/common';
import type { RowLimits } from '#libs/tables';
import { AssetsRepository } from '../assets/assets.repository.ts';
import type { FindingItemDto, FindingsQuery } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';

const PAGE = 500;

/** A finding that an act means, with the version that it is decided on. */
export interface ActedOn {
  id: string;
  version: number;
  entityKey: string;
  item: FindingItemDto;
}

/** Finds the findings that a bulk act selects. */
@Injectable()
export class ActedOnFindings {
  constructor(
    private readonly findings: FindingsService,
    private readonly assets: AssetsRepository,
  ) {}

  /** @throws BadRequestException if there are more than `max` */
  async matching(
    filter: Omit<FindingsQuery, 'limit' | 'cursor' | 'asOf'>,
    rows: RowLimits,
    max: number,
  ): Promise<ActedOn[]> {
    const found: ActedOn[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.findings.list({ ...filter, limit: PAGE, ...(cursor && { cursor }) }, rows);
      found.push(...(await this.withKeys(page.items)));
      if (found.length > max) {
        throw new BadRequestException(`more than ${max} findings match: narrow the filter`);
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return found;
  }

  private async withKeys(items: FindingItemDto[]): Promise<ActedOn[]> {
    const keys = await this.assets.entityKeys([...new Set(items.map(({ assetId }) => assetId))]);
    return items.map((item) => ({
      id: item.id,
      version: item.version,
      entityKey: keys.get(item.assetId)!,
      item,
    }));
  }
}
