import { BadRequestException, Injectable } from '@nestjs/common';
import type { RowLimits } from '#libs/tables';
import type { FindingsQuery } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { type ActedOn, ActedOnRepository } from './acted-on.repository.ts';

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
    for await (const items of this.findings.pages(filter, rows)) {
      const read = await this.actedOn.byIds(
        items.map(({ id }) => id),
        rows,
      );
      found.push(...items.flatMap(({ id }) => read.get(id) ?? []));
      if (found.length > max) {
        throw new BadRequestException(`more than ${max} findings match: narrow the filter`);
      }
    }
    return found;
  }
}
