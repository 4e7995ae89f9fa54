import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import type { Level } from '#libs/domain';
import { LEVELS } from '../assets/levels.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { AsOfQuery } from '../paging/as-of.ts';
import { FindingFilterQuery } from './finding.dto.ts';

const DAYS = 90;
const DAYS_MAX = 365;
const WEEKS_MAX = Math.ceil(DAYS_MAX / 7);

/** Selects the failing periods that ended in the `days` before now, or before `asOf`. */
export class RemediationQuery extends IntersectionType(
  AsOfQuery,
  PickType(FindingFilterQuery, [
    'type',
    'severity',
    'severityMin',
    'source',
    'assetId',
    'assignee',
    'assigned',
    'tag',
    'department',
    'location',
    'assetType',
    'criticality',
  ] as const),
) {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: DAYS_MAX,
    default: DAYS,
    description: 'Number of days before now, or before `asOf`, in which the failing periods ended',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  days: number = DAYS;
}

const seconds = (figure: string) =>
  ({
    type: 'integer',
    nullable: true,
    minimum: 0,
    description: `${figure} of the failing periods that were remedied, from \`failedSince\` to \`settledAt\`, in seconds; null if there are none`,
  }) as const;

/** Failing periods that ended in the window. */
export class RemediationFiguresDto {
  @ApiProperty({
    type: 'integer',
    description:
      'Failing periods that ended because the finding became Qualified, or because a later full assessment no longer ' +
      'contained it (`retiredReason` `replaced`). A finding can have several',
  })
  remedied!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Those of `remedied` after which the finding failed again, until now or `asOf`',
  })
  reopened!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: '`reopened` / `remedied`; null if no failing period was remedied',
  })
  reopenRate!: number | null;
  @ApiProperty(seconds('Median time to remediate'))
  medianSeconds!: number | null;
  @ApiProperty(seconds('Mean time to remediate'))
  meanSeconds!: number | null;
  @ApiProperty(seconds('Time to remediate within which 90 % of them ended'))
  p90Seconds!: number | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Failing periods that ended otherwise, in none of the other figures: the finding expired, was not reported for the ' +
      'time of the retention, was revoked by its source, or its asset was deleted',
  })
  endedOtherwise!: number;
}

export class SeverityRemediationDto extends RemediationFiguresDto {
  @ApiProperty({ enum: LEVELS, description: 'Level of the severity that the finding has, by its value' })
  severityLevel!: Level;
}

export class WeekRemediationDto extends RemediationFiguresDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;
  @ApiProperty({
    format: 'date-time',
    description: 'A period that ended at this time belongs to the next week',
  })
  to!: string;
}

/** Times to remediate and reopen rate, in total, by severity and by week. */
export class TimesToRemediateDto {
  @ApiProperty({ format: 'date-time', description: 'Beginning of the window' })
  from!: string;
  @ApiProperty({ format: 'date-time', description: 'End of the window: now, or `asOf`' })
  to!: string;
  @ApiProperty({ type: RemediationFiguresDto })
  total!: RemediationFiguresDto;
  @ApiProperty({
    type: [SeverityRemediationDto],
    description: 'From critical to info; only levels with a failing period that ended',
  })
  bySeverity!: SeverityRemediationDto[];
  @ApiProperty({
    type: [WeekRemediationDto],
    maxItems: WEEKS_MAX,
    description:
      'By the end of the failing period, oldest first, also weeks without one. Weeks end at `to`, so the first one can be ' +
      'shorter. Periods of recent weeks have had less time to fail again',
  })
  byWeek!: WeekRemediationDto[];
}
