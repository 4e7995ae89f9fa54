import { BadRequestException, ConflictException } from '@nestjs/common';
import type { BulkFilterDto } from './bulk-filter.dto.ts';

/**
 * Everything at once is no decision about a finding. A blank text, such as an unset variable of a script, could match
 * everything.
 * @param filter with the terms of its query text
 */
export function assertConditions(filter: BulkFilterDto): void {
  const conditions = Object.entries(filter).filter(([, condition]) => condition !== undefined);
  if (conditions.length === 0) throw new BadRequestException('filter must contain at least one condition');
  const blank = conditions.find(([, condition]) => typeof condition === 'string' && condition.trim() === '');
  if (blank) throw new BadRequestException(`filter.${blank[0]} must not be blank: omit it`);
}

/** The findings that match are those that a dry run has counted. */
export function assertExpected(expected: number | undefined, matching: number): void {
  if (expected === undefined) {
    throw new BadRequestException(
      'expected must be the value `matching` of a dry run: send dryRun=true first',
    );
  }
  if (expected !== matching) {
    throw new ConflictException(
      `${matching} findings match by now, not ${expected}: look at them with dryRun=true again`,
    );
  }
}
