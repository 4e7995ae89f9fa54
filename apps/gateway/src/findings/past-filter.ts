import { BadRequestException } from '@nestjs/common';
import { distinguishesDecisions, type Sla } from '#libs/domain';
import { decisionFilterIn, dueWithin, type FindingFilter } from './finding-conditions.ts';

/**
 * The filter for findings as of an instant: only present decisions are stored.
 * @throws BadRequestException if it is by decision, or by what belongs to one
 */
export function pastFilter(filter: FindingFilter): FindingFilter {
  if (filter.due && dueWithin(filter.due) !== null) assertPastDue(filter.due.sla);
  const name = decisionFilterIn(filter);
  if (name === undefined) return filter;
  throw new BadRequestException(
    `${name}: findings as of an instant cannot be filtered by decision. Omit ${name} or asOf`,
  );
}

/** @throws BadRequestException if due dates as of the instant depend on decisions */
export function assertPastDue(sla: Sla | null): void {
  if (sla === null || !distinguishesDecisions(sla)) return;
  throw new BadRequestException(
    'asOf: the SLA of that time depends on SSVC decisions or KEV, so findings as of it cannot be filtered or sorted by ' +
      'due date. Omit the filter or sort, or asOf',
  );
}
