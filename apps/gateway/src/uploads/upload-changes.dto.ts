import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FindingState } from '#libs/domain';
import { FINDING_TYPES } from '#libs/domain';
import { CHANGE_REASONS, FINDING_STATES, HistoryCauseDto, LogPositionDto } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsOneOrMoreOf, type OneOrMore } from '../paging/one-or-more.ts';
import { PageQuery, pageOf } from '../paging/page.ts';

const KINDS = ['asset', 'finding'] as const;
export type ChangedKind = (typeof KINDS)[number];

/** Changes of assets and findings that signals cause; assets have no `stateChanged` and no `retired`. */
const CHANGES = ['created', 'updated', 'stateChanged', 'retired', 'returned'] as const;
type UploadChangeName = (typeof CHANGES)[number];

/** Paging and filters of the changes of an upload; all given ones must match. */
export class UploadChangesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: KINDS, description: 'Only changes of assets, or of findings' })
  @MayBeLeftOut()
  @IsIn(KINDS)
  kind?: ChangedKind;

  @IsOneOrMoreOf(CHANGES)
  change?: OneOrMore<UploadChangeName>;

  @IsOneOrMoreOf(FINDING_STATES, 'State of a finding after the change; excludes changes of assets.')
  to?: OneOrMore<FindingState>;
}

class UploadChangedAssetDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ description: 'Name after the change' })
  name!: string;
}

class UploadChangedFindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ enum: FINDING_TYPES })
  type!: string;
  @ApiProperty()
  name!: string;
}

class UploadChangeCauseDto extends OmitType(HistoryCauseDto, ['integrationId']) {}

/** One change of an asset or a finding, caused by a signal of the upload or by its end. */
export class UploadChangeDto {
  @ApiProperty({ enum: KINDS })
  kind!: ChangedKind;
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({
    enum: CHANGES,
    description:
      '`returned`: Retired before the change, or a deleted asset. `updated`: the state is the same. An asset is never ' +
      '`stateChanged` or `retired`',
  })
  change!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: FINDING_STATES,
    description: 'State of the finding before the change; null at creation, and for assets',
  })
  from!: string | null;
  @ApiProperty({ type: String, nullable: true, enum: FINDING_STATES, description: 'null for assets' })
  to!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: CHANGE_REASONS,
    description:
      '`replaced`: the upload is a full assessment and does not contain the finding. `expired`, `retention`, ' +
      '`acceptanceEnded`: expired before, and applied with a signal of the upload. null if a signal caused the change',
  })
  reason!: string | null;
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Version of the finding or asset after the change',
  })
  version!: number;
  @ApiProperty({ type: UploadChangedAssetDto })
  asset!: UploadChangedAssetDto;
  @ApiProperty({ type: UploadChangedFindingDto, nullable: true, description: 'null for changes of assets' })
  finding!: UploadChangedFindingDto | null;
  @ApiProperty({ type: UploadChangeCauseDto })
  cause!: UploadChangeCauseDto;
  @ApiProperty({
    type: LogPositionDto,
    nullable: true,
    description: 'null for callers that are limited to departments or locations',
  })
  position!: LogPositionDto | null;
}

/** Number of changes that have all of these values. */
export class UploadChangeCountDto {
  @ApiProperty({ enum: KINDS })
  kind!: string;
  @ApiProperty({ enum: CHANGES })
  change!: string;
  @ApiProperty({ type: String, nullable: true, enum: FINDING_STATES })
  from!: string | null;
  @ApiProperty({ type: String, nullable: true, enum: FINDING_STATES })
  to!: string | null;
  @ApiProperty({ type: String, nullable: true, enum: CHANGE_REASONS })
  reason!: string | null;
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;
}

class RemovedChangesDto {
  @ApiProperty({ format: 'date-time', description: 'Changes from this time on are complete' })
  before!: string;
}

export class UploadChangesPageDto extends pageOf(UploadChangeDto) {
  @ApiProperty({
    description:
      'false: unknown, because an earlier version of the service processed the upload, or a part of it. The page is ' +
      'empty. `posture replay` records the changes of all uploads',
  })
  recorded!: boolean;
  @ApiProperty({
    type: [UploadChangeCountDto],
    nullable: true,
    description:
      'All changes of the upload so far, for any filter. null if they are unknown, and for callers that are limited to ' +
      'departments or locations',
  })
  counts!: UploadChangeCountDto[] | null;
  @ApiProperty({
    type: RemovedChangesDto,
    nullable: true,
    description:
      'Changes of findings that may be missing, because they were removed under the retention of the history ' +
      '(`historyRetentionDays`); `counts` contains them. null if none was removed',
  })
  removed!: RemovedChangesDto | null;
}
