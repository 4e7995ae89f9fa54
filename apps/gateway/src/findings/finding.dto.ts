import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsIn, IsNumber, IsOptional, IsString, IsUUID, Matches, Max, MaxLength, Min } from 'class-validator';
import { FINDING_TYPES, type FindingState, type FindingType } from '#libs/domain';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { pageOf } from '../paging/page.ts';

export const FINDING_STATES = ['Failed', 'Qualified', 'NotAssessed', 'AcceptedFailed', 'Retired'] as const;

const PAST_SEEN = 'null only under `asOf`, where a later signal has moved it';

const upperCased = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toUpperCase() : value;

/** Filters of the findings of one asset (api.md: findings). */
export class AssetFindingsQuery extends AsOfPageQuery {
  @ApiPropertyOptional({ enum: FINDING_TYPES })
  @IsOptional()
  @IsIn(FINDING_TYPES)
  type?: FindingType;

  @ApiPropertyOptional({ enum: FINDING_STATES, description: 'Without it: every state but Retired (D11)' })
  @IsOptional()
  @IsIn(FINDING_STATES)
  state?: FindingState;

  @ApiPropertyOptional({ minimum: 0, maximum: 10 })
  @IsOptional()
  @Type(() => Number)
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;

  @ApiPropertyOptional({ example: 'CVE-2021-44228' })
  @IsOptional()
  @Transform(upperCased)
  @Matches(/^CVE-\d{4}-\d{4,}$/, { message: 'cve must be a CVE id such as CVE-2021-44228' })
  cve?: string;

  @ApiPropertyOptional({ example: 'T1059.001' })
  @IsOptional()
  @Transform(upperCased)
  @IsString()
  @MaxLength(100)
  technique?: string;

  @ApiPropertyOptional({ description: 'Name of the source tool' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  source?: string;

  @ApiPropertyOptional({ description: 'Part of the name, in any case' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  name?: string;
}

export class FindingsQuery extends AssetFindingsQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  assetId?: string;
}

export class SeverityDto {
  @ApiProperty({ minimum: 0, maximum: 10 })
  value!: number;
  @ApiProperty({ type: String, nullable: true })
  level!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'CVSS vector' })
  vector!: string | null;
  @ApiProperty({ type: Number, nullable: true })
  baseScore!: number | null;
  @ApiProperty({ type: String, nullable: true, example: 'cvss' })
  type!: string | null;
}

export class InstanceDto {
  @ApiProperty({
    description: 'Detection id, port/protocol or a hash; empty for the only one of a singular signal',
  })
  key!: string;
  @ApiProperty({ enum: ['Failed', 'Qualified', 'NotAssessed'] })
  status!: string;
  @ApiProperty({ description: 'false: neither counts nor counts as a pass (D30)' })
  counted!: boolean;
  @ApiProperty({ type: String, nullable: true })
  evidence!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } })
  tags!: Record<string, string[]>;
}

export class RemediationDto {
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
  @ApiProperty({ type: String, nullable: true })
  reference!: string | null;
  @ApiProperty({ type: String, nullable: true })
  impact!: string | null;
}

export class AcceptanceDto {
  @ApiProperty()
  by!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty()
  rationale!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until!: string | null;
}

export class HoldDto {
  @ApiProperty()
  by!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** A finding with all that is known of it (api.md: findings). */
export class FindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ format: 'uuid' })
  assetId!: string;
  @ApiProperty()
  assetName!: string;
  @ApiProperty({ enum: FINDING_TYPES })
  type!: FindingType;
  @ApiProperty({
    type: String,
    nullable: true,
    description: "The sender's own kind of finding, where it names one",
  })
  subtype!: string | null;
  @ApiProperty()
  name!: string;
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
  @ApiProperty({ enum: FINDING_STATES })
  state!: FindingState;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['expired', 'replaced', 'retention', 'revoked', 'assetDeleted'],
  })
  retiredReason!: string | null;
  @ApiProperty({ type: SeverityDto })
  severity!: SeverityDto;
  @ApiProperty({ type: [String] })
  cves!: string[];
  @ApiProperty({ type: [String] })
  techniques!: string[];
  @ApiProperty({ description: 'Whether it counts for scoring (D22)' })
  counted!: boolean;
  @ApiProperty({ type: String, nullable: true })
  notCountedBecause!: string | null;
  @ApiProperty({ type: [InstanceDto] })
  instances!: InstanceDto[];
  @ApiProperty({ type: RemediationDto, nullable: true })
  remediation!: RemediationDto | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the source tool' })
  source!: string | null;
  @ApiProperty({ type: String, nullable: true })
  controlType!: string | null;
  @ApiProperty({ format: 'date-time' })
  firstSeen!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: PAST_SEEN })
  lastSeen!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: PAST_SEEN })
  expiresAt!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The evidence of all instances' })
  observation!: string | null;
  @ApiProperty({ type: AcceptanceDto, nullable: true })
  accepted!: AcceptanceDto | null;
  @ApiProperty({ type: HoldDto, nullable: true })
  heldFailed!: HoldDto | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when its source is late (D14)',
  })
  overdueSince!: string | null;
  @ApiProperty()
  version!: number;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** A finding in a list: without the long parts (api.md "Lists"). */
export class FindingItemDto extends OmitType(FindingDto, [
  'instances',
  'description',
  'remediation',
  'observation',
]) {
  @ApiProperty()
  instanceCount!: number;
}

export class FindingPageDto extends pageOf(FindingItemDto) {}

export class HistoryCauseDto {
  @ApiProperty({ enum: ['json', 'zip', 'sync', 'user', 'system'] })
  kind!: string;
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  uploadId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the ZIP entry' })
  entry!: string | null;
  @ApiProperty({ type: String, nullable: true })
  syncId!: string | null;
  @ApiProperty({ type: String, nullable: true })
  user!: string | null;
}

export class LogPositionDto {
  @ApiProperty()
  topic!: string;
  @ApiProperty()
  partition!: number;
  @ApiProperty()
  offset!: number;
}

/** One change of a finding, with its cause down to the log position (api.md: finding history). */
export class HistoryItemDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({
    enum: ['created', 'updated', 'stateChanged', 'retired', 'returned', 'accepted', 'reverted'],
  })
  change!: string;
  @ApiProperty({ type: String, nullable: true, enum: FINDING_STATES, description: 'null at creation' })
  from!: string | null;
  @ApiProperty({ enum: FINDING_STATES })
  to!: string;
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
  @ApiProperty({ type: HistoryCauseDto })
  cause!: HistoryCauseDto;
  @ApiProperty({ type: LogPositionDto })
  position!: LogPositionDto;
}

export class HistoryPageDto extends pageOf(HistoryItemDto) {}
