import { BadRequestException } from '@nestjs/common';
import type { FindingFilter } from './finding-conditions.ts';

/**
 * The filter for findings as of an instant: only present decisions are stored.
 * @throws BadRequestException if it is by decision, or by what belongs to one
 */
export function pastFilter({ ssvc, ransomware, ...filter }: FindingFilter): FindingFilter {
  if (ssvc === undefined && ransomware === undefined) return filter;
  const name = ssvc === undefined ? 'ransomware' : 'ssvc';
  throw new BadRequestException(
    `${name}: findings as of an instant cannot be filtered by decision. Omit ${name} or asOf`,
  );
}
