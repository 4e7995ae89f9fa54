import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { BULK_MAX } from './bulk-filter.dto.ts';

/** The preview of an act on many findings, and what it has counted (`assertExpected`). */
export class DryRunDto {
  @ApiPropertyOptional({
    default: false,
    description: 'true: changes nothing and reports what the request would change',
  })
  @MayBeLeftOut()
  @IsBoolean()
  dryRun?: boolean;

  @ApiPropertyOptional({
    minimum: 0,
    maximum: BULK_MAX,
    description:
      '`matching` of the dry run. Required with `filter` and without dryRun. The request fails with 409 if the number of matching findings has changed',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(BULK_MAX)
  expected?: number;
}
