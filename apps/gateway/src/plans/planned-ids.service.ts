import { BadRequestException, Injectable } from '@nestjs/common';
import type { RowLimits } from '#libs/tables';
import { ActedOnFindings } from '../finding-acts/acted-on-findings.ts';
import { readFindingsQuery } from '../saved-views/view-query.ts';
import { WhatIfRepository } from '../scores/what-if.repository.ts';
import { PLANNED_MAX } from './plan.dto.ts';

/** Which visible findings a request adds to a plan. */
export interface AddedFindings {
  add?: string[] | undefined;
  query?: string | undefined;
}

/** Decides which findings a plan contains. */
@Injectable()
export class PlannedIds {
  constructor(
    private readonly findings: WhatIfRepository,
    private readonly matching: ActedOnFindings,
  ) {}

  /**
   * The ids after a change, in the order in which they were added.
   * @throws NotFoundException for findings that do not exist; BadRequestException for none, too many, or a bad query
   */
  async after(
    before: readonly string[],
    { add = [], query }: AddedFindings,
    remove: readonly string[],
    rows: RowLimits,
  ): Promise<string[]> {
    await this.findings.assertKnown(add, rows);
    const matched = query === undefined ? [] : await this.matched(query, rows);
    const removed = new Set(remove);
    const ids = [...new Set([...before, ...add, ...matched])].filter((id) => !removed.has(id));
    if (ids.length >= 1 && ids.length <= PLANNED_MAX) return ids;
    const got = ids.length === 0 ? 'none' : ids.length;
    throw new BadRequestException(
      `a plan must contain from 1 to ${PLANNED_MAX} findings (got ${got}): choose others with add, query or remove`,
    );
  }

  private async matched(query: string, rows: RowLimits): Promise<string[]> {
    const { sort: _, ...filter } = await readFindingsQuery(query);
    const found = await this.matching.matching({ state: 'Failed', ...filter }, rows, PLANNED_MAX);
    return found.map(({ id }) => id);
  }
}
