import { BadRequestException, ForbiddenException } from '@nestjs/common';
import { type RowLimits, seesAllRows } from '#libs/tables';

/** Rows that a list as of an instant sorts at most: the history has no index of their keys, so each page reads all. */
export const PAST_SORTED_MAX = 50_000;

/**
 * Findings whose history a report reads at most. The board report reads it up to four times, at about a second for 50,000:
 * it is complete before its connection is closed for silence.
 */
export const PAST_REPORTED_MAX = 500_000;

/** For the descriptions of the reports. */
export const PAST_REPORT_BOUND = `From the history, a report can read at most ${PAST_REPORTED_MAX.toLocaleString('en')} findings`;

/** For the description of `sort`. */
export const PAST_SORT_BOUND = `With \`asOf\`, sorting is not available in exports, and a list can have at most ${PAST_SORTED_MAX.toLocaleString('en')}`;

/** A list with `sort` as of an instant. */
export interface SortedPast {
  things: string;
  rows: RowLimits;
  hasMoreThan(rows: number): Promise<boolean>;
  /** How to make the list short enough. */
  remedy: string;
}

/**
 * To be called before the cursor is read, which can be that of the list without `sort`. The bound counts all rows, also
 * rows that a limited caller may not see.
 * @throws ForbiddenException to a limited caller, BadRequestException if the list is too long
 */
export async function assertPastSort({ things, rows, hasMoreThan, remedy }: SortedPast): Promise<void> {
  if (!seesAllRows(rows)) {
    throw new ForbiddenException(
      'sort: with asOf, lists cannot be sorted by a caller that is limited to departments or locations. Omit sort or asOf',
    );
  }
  if (await hasMoreThan(PAST_SORTED_MAX)) {
    throw new BadRequestException(
      `sort: with asOf, at most ${PAST_SORTED_MAX} ${things} can be sorted: ${remedy}`,
    );
  }
}

/**
 * Exports as of an instant keep the order of the list without `sort`: to sort each page would read all of the others.
 * @throws BadRequestException
 */
export function refusePastSortedExport({ sort, asOf }: { sort?: string; asOf?: number }): void {
  if (sort === undefined || asOf === undefined) return;
  throw new BadRequestException('sort: an export with asOf cannot be sorted. Omit sort');
}
