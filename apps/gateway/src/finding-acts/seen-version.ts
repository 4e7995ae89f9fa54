import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

export const VERSION_MAX = 2_147_483_647;

/** The optional field `version` of an act on a finding (R-FOLD-6). */
export class SeenVersionDto {
  @ApiPropertyOptional({
    minimum: 1,
    description: 'Version that the caller read. The request fails with 409 if the finding has changed since',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(VERSION_MAX)
  version?: number;
}
