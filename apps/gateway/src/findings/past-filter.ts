import { BadRequestException } from '@nestjs/common';
import type { FindingFilter } from './finding-conditions.ts';

/**
 * The filter for findings as of an instant: only present decisions are stored.
 * @throws BadRequestException if it is by decision
 */
export function pastFilter({ ssvc, ...filter }: FindingFilter): FindingFilter {
  if (ssvc === undefined) return filter;
  throw new BadRequestException(
    'ssvc: findings as of an instant cannot be filtered by decision. Omit ssvc or asOf',
  );
}
