import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { StaleException } from './http-errors.ts';
import { MayBeLeftOut } from './may-be-left-out.ts';

export const VERSION_MAX = 2_147_483_647;

/**
 * The optional field `version` of a change: the version that its caller read (R-FOLD-6).
 * @param owner what has the version, in the singular
 * @param minimum version of an owner that no user has changed
 */
export const IsSeenVersion = (owner: string, { minimum = 1 } = {}) =>
  applyDecorators(
    ApiPropertyOptional({
      minimum,
      description: `Version that the caller read. The request fails with 409 if the ${owner} has changed since`,
    }),
    MayBeLeftOut(),
    IsInt(),
    Min(minimum),
    Max(VERSION_MAX),
  );

/** @throws StaleException if a given version is not the present one */
export function assertSeenVersion(owner: string, present: number, seen: number | undefined): void {
  if (seen === undefined || seen === present) return;
  throw new StaleException(
    `the ${owner} has changed since \`version\`: read it again and repeat the request`,
  );
}
