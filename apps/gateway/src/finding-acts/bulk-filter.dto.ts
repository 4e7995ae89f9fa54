import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsNumber, Max, Min } from 'class-validator';
import { FindingFilterQuery } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

/** Findings that one request acts on. */
export const BULK_MAX = 10_000;

/** Which findings are meant: all conditions hold of each. The filters of the list but for the state, with numbers. */
export class BulkFilterDto extends OmitType(FindingFilterQuery, [
  'state',
  'severityMin',
  'epssMin',
] as const) {
  @ApiPropertyOptional({ minimum: 0, maximum: 10 })
  @MayBeLeftOut()
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;

  @ApiPropertyOptional({ minimum: 0, maximum: 1 })
  @MayBeLeftOut()
  @IsNumber()
  @Min(0)
  @Max(1)
  epssMin?: number;
}
