import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsNumber, Max, Min } from 'class-validator';
import { FindingsQuery } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

/** Findings that one request acts on. */
export const BULK_MAX = 10_000;

/** Which findings are meant: all conditions hold of each. */
export class BulkFilterDto extends PickType(FindingsQuery, [
  'type',
  'severity',
  'ssvc',
  'cve',
  'technique',
  'source',
  'name',
  'q',
  'assetId',
  'assignee',
  'assigned',
  'tag',
  'dueBefore',
  'overdue',
  'sla',
  'department',
  'location',
  'assetType',
  'criticality',
  'ransomware',
  'kev',
  'firstSeenAfter',
  'firstSeenBefore',
  'settledAfter',
  'reopenedAfter',
  'acceptedUntilBefore',
  'upload',
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
