import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { FINDING_TYPES, type FindingType } from '#libs/domain';
import { FINDING_CHANGES, FINDING_STATES } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { HISTORY_DAYS_MAX, HISTORY_DAYS_MIN } from '../organization/settings.dto.ts';
import { PageQuery, pageOf } from '../paging/page.ts';

const IsFindingType = () => (target: object, property: string) => {
  ApiProperty({ enum: FINDING_TYPES })(target, property);
  IsIn(FINDING_TYPES, { message: `$property must be one of ${FINDING_TYPES.join(', ')}` })(target, property);
};

export class TypeRetentionDto {
  @ApiProperty({ enum: FINDING_TYPES })
  type!: FindingType;
  @ApiProperty({ type: Number, nullable: true, description: '`historyRetentionDays`; null: kept for ever' })
  days!: number | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Earliest `asOf` of findings of this type; null if nothing was removed, so that every time can be read',
  })
  keptFrom!: string | null;
  @ApiProperty({ description: 'Number of removed changes' })
  removed!: number;
}

export class HistoryRetentionDto {
  @ApiProperty({ type: [TypeRetentionDto] })
  types!: TypeRetentionDto[];
}

export class RetentionPreviewQuery {
  @IsFindingType()
  type!: FindingType;

  @ApiPropertyOptional({
    minimum: HISTORY_DAYS_MIN,
    maximum: HISTORY_DAYS_MAX,
    description: 'Default: the setting. Required if the history of the type is kept for ever',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(HISTORY_DAYS_MIN)
  @Max(HISTORY_DAYS_MAX)
  days?: number;
}

export class SlowReaderDto {
  @ApiProperty({ example: 'scorer', description: '`publisher`, `scorer`, or the id of a webhook' })
  reader!: string;
  @ApiProperty({ description: 'Partitions in which it has not read all changes that are old' })
  partitions!: number;
}

export class RetentionPreviewDto {
  @ApiProperty({ enum: FINDING_TYPES })
  type!: FindingType;
  @ApiProperty()
  days!: number;
  @ApiProperty({ format: 'date-time', description: 'States from this time on stay known' })
  before!: string;
  @ApiProperty({
    description: 'Maximum number of changes that would be removed. Changes that a score depends on are kept',
  })
  changes!: number;
  @ApiProperty({ description: 'Findings with such changes. The findings stay' })
  findings!: number;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the oldest such change; null if there is none',
  })
  oldest!: string | null;
  @ApiProperty({
    description:
      'false: there are more than a million old changes; the numbers are those of a million of them',
  })
  isComplete!: boolean;
  @ApiProperty({
    description:
      'Deleted users and machines whose keys would be destroyed now, with these days of the type and the set ones of the others',
  })
  subjects!: number;
  @ApiProperty({ type: [SlowReaderDto], description: 'Readers that have to read old changes first' })
  waitingFor!: SlowReaderDto[];
}

export class RetentionRunDto {
  @ApiProperty({ description: 'false: repeat the request until it is true' })
  isComplete!: boolean;
  @ApiProperty({
    description:
      'Number of records that have to be processed before the next part is removed. If it does not fall for a minute, ' +
      'no projector processes the log',
  })
  pendingRecords!: number;
}

export class HistorySummaryQuery extends PageQuery {
  @IsFindingType()
  type!: FindingType;
}

export class HistorySummaryItemDto {
  @ApiProperty({ example: '2026-03', description: 'Month of the changes, in UTC' })
  month!: string;
  @ApiProperty({
    enum: FINDING_CHANGES,
  })
  change!: string;
  @ApiProperty({ enum: FINDING_STATES, description: 'State after the change' })
  state!: string;
  @ApiProperty({ enum: ['critical', 'high', 'medium', 'low', 'info'] })
  severity!: string;
  @ApiProperty({ minimum: 1 })
  changes!: number;
}

export class HistorySummaryPageDto extends pageOf(HistorySummaryItemDto) {}
