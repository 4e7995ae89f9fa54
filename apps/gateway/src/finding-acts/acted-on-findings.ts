import { BadRequestException, Injectable } from '@nestjs/common';
import type { RowLimits } from '#libs/tables';
import type { FindingsQuery } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { UNHURRIED } from '../paging/past-reads.ts';
import { type ActedOn, ActedOnRepository } from './acted-on.repository.ts';

const PAGE = 500;

/** Finds the findings that a bulk act selects. */
@Injectable()
export class ActedOnFindings {
  constructor(
    private readonly findings: FindingsService,
    private readonly actedOn: ActedOnRepository,
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
      const page = await this.findings.list(
        { ...filter, limit: PAGE, ...(cursor && { cursor }) },
        rows,
        UNHURRIED,
      );
      const read = await this.actedOn.byIds(
        page.items.map(({ id }) => id),
        rows,
      );
      found.push(...page.items.flatMap(({ id }) => read.get(id) ?? []));
      if (found.length > max) {
        throw new BadRequestException(`more than ${max} findings match: narrow the filter`);
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return found;
  }
}
