import { applyDecorators, BadRequestException } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';
import { DAY_MS } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';

/** Ten years. */
const DAYS_MAX = 3_650;

/** The query parameter `notSeenDays`. */
export const IsNotSeenDays = (documented: Pick<ApiPropertyOptions, 'description' | 'example' | 'default'>) =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: DAYS_MAX, ...documented }),
    MayBeLeftOut(),
    NumberFromText(),
    IsInt(),
    Min(1),
    Max(DAYS_MAX),
  );

/** The instant since which no source has reported an asset, in epoch milliseconds. */
export const notSeenSince = (days: number, now: number): number => now - days * DAY_MS;

/** That no source has reported an asset since an instant; `s` is its row of times. */
export const isNotSeenSince = (since: number) => sql<SqlBool>`s.last_seen < ${instant(since)}`;

/**
 * The filter by `notSeenDays`, which counts back from `now`.
 * @param past of a list as of an instant, in epoch milliseconds
 * @throws BadRequestException as of an instant: the history does not keep when an asset was last reported
 */
export function notSeenCondition(
  { notSeenDays }: { notSeenDays?: number },
  past: number | null,
  now: number,
): { notSeenSince?: number } {
  if (notSeenDays === undefined) return {};
  if (past !== null) {
    throw new BadRequestException(
      'notSeenDays: assets as of an instant cannot be filtered by lastSeen. Omit notSeenDays or asOf',
    );
  }
  return { notSeenSince: notSeenSince(notSeenDays, now) };
}
