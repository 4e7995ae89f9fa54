import { BadRequestException, ConflictException } from '@nestjs/common';
import type { BulkFilterDto } from './bulk-filter.dto.ts';

/** Everything at once is no decision about a finding. */
export function assertCondition(filter: BulkFilterDto): void {
  if (Object.values(filter).every((condition) => condition === undefined)) {
    throw new BadRequestException('filter must contain at least one condition');
  }
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
