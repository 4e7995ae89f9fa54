import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsObject, IsString, Length, Max, Min } from 'class-validator';
import type { IntegrationSubType, IntegrationType } from '#libs/domain';
import { INTEGRATION_KINDS } from '#libs/integration-store';
import { AssetDto } from '../assets/asset.dto.ts';
import { FindingItemDto } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NAME_CHARACTERS_MAX, Trimmed } from '../organization/asset-option.dto.ts';
import { pageOf } from '../paging/page.ts';
import { UploadOutcomeDto } from '../uploads/upload.dto.ts';
import {
  AxoniusConfigDto,
  ChangeAxoniusConfigDto,
  ChangeFalconConfigDto,
  FalconConfigDto,
  NewAxoniusConfigDto,
  NewFalconConfigDto,
} from './integration-config.dto.ts';

const TYPES = Object.keys(INTEGRATION_KINDS) as IntegrationType[];
const SUB_TYPES = TYPES.map((type) => INTEGRATION_KINDS[type].subType);

const VERSION_MAX = 2 ** 31 - 1;

const anyOf = (...models: (new () => object)[]) => ({
  anyOf: models.map((model) => ({ $ref: getSchemaPath(model) })),
});

@ApiExtraModels(NewFalconConfigDto, NewAxoniusConfigDto)
class DefinitionDto {
  @ApiProperty({ enum: TYPES, description: '`edrplugin` pulls detections, `assetinventory` metadata (D28)' })
  @IsIn(TYPES)
  type!: IntegrationType;

  @ApiProperty({ enum: SUB_TYPES, description: '`falcon` for `edrplugin`, `axonius` for `assetinventory`' })
  @IsIn(SUB_TYPES)
  subType!: IntegrationSubType;

  @ApiProperty(anyOf(NewFalconConfigDto, NewAxoniusConfigDto))
  @IsObject()
  config!: Record<string, unknown>;
}

/** An integration definition (spec §Endpoints). */
export class AddIntegrationDto extends DefinitionDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'EDR Berlin',
    description: 'Its signals come under this name, also once it is renamed; `subType` where it is left out',
  })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  name?: string;
}

@ApiExtraModels(ChangeFalconConfigDto, ChangeAxoniusConfigDto)
export class ChangeIntegrationDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: NAME_CHARACTERS_MAX })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  name?: string;

  @ApiPropertyOptional({
    ...anyOf(ChangeFalconConfigDto, ChangeAxoniusConfigDto),
    description:
      'Fields that change. Another `url`, `clientId` or `apiKey` needs the secret again: a stored one is never sent to another address',
  })
  @MayBeLeftOut()
  @IsObject()
  config?: Record<string, unknown>;

  @ApiPropertyOptional({
    minimum: 1,
    description: 'The version that was read: a 409 where somebody else has changed it since',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(VERSION_MAX)
  version?: number;
}

/** A definition that is not saved; its name does not matter. */
export class TestIntegrationDto extends AddIntegrationDto {}

@ApiExtraModels(ChangeFalconConfigDto, ChangeAxoniusConfigDto)
export class TestSavedIntegrationDto {
  @ApiPropertyOptional({
    ...anyOf(ChangeFalconConfigDto, ChangeAxoniusConfigDto),
    description: 'Fields to test it with instead of those that are saved',
  })
  @MayBeLeftOut()
  @IsObject()
  config?: Record<string, unknown>;
}

export class ConnectionCheckDto {
  @ApiProperty({ enum: ['address', 'credentials', 'hosts', 'alerts', 'devices'] })
  name!: string;
  @ApiProperty()
  ok!: boolean;
  @ApiProperty()
  message!: string;
}

export class ConnectionTestDto {
  @ApiProperty({ description: 'Whether every check is ok' })
  ok!: boolean;
  @ApiProperty({ description: 'The first check that failed, or that all is well' })
  message!: string;
  @ApiProperty({ type: [ConnectionCheckDto] })
  checks!: ConnectionCheckDto[];
}

const STAGES = ['QUEUED', 'TRANSFORMING', 'COMPLETED', 'ERROR'];
const STATUSES = 'Success, In Progress, Error, Partial Success';

/** How a sync stands (spec §States and transitions). */
export class SyncStateDto {
  @ApiProperty({ enum: STAGES })
  stage!: string;
  @ApiProperty({ minimum: 0, maximum: 100, description: 'Of the stage' })
  percent!: number;
  @ApiProperty({ enum: [0, 1, 2, 3], type: Number, description: STATUSES })
  status!: number;
  @ApiProperty({ enum: STATUSES.split(', ') })
  statusName!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: it waits' })
  startedAt!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;
}

/** An integration (spec §Integration configuration; api.md). */
@ApiExtraModels(FalconConfigDto, AxoniusConfigDto)
export class IntegrationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ minimum: 1, description: 'Counts its changes' })
  version!: number;
  @ApiProperty({ enum: TYPES })
  type!: IntegrationType;
  @ApiProperty({ enum: SUB_TYPES })
  subType!: IntegrationSubType;
  @ApiProperty()
  name!: string;
  @ApiProperty({ description: 'The name that its signals come under: that of its creation' })
  source!: string;
  @ApiProperty({
    ...anyOf(FalconConfigDto, AxoniusConfigDto),
    description: 'All of it but the fields in `sensitiveFields`',
  })
  config!: object;
  @ApiProperty({ type: [String], example: ['clientSecret'], description: 'Withheld, and stored encrypted' })
  sensitiveFields!: string[];
  @ApiProperty({
    enum: ['complete', 'incomplete'],
    description: '`incomplete`: a secret is to be given again',
  })
  configState!: string;
  @ApiProperty({ type: SyncStateDto, nullable: true, description: 'The last one; null: there was none' })
  sync!: SyncStateDto | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the next automatic sync is due, by `autoSyncDays`, or 5, 15 and 60 minutes after a scheduled one that failed; in the past: it starts in a moment. null: never',
  })
  nextSyncAt!: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export class IntegrationPageDto extends pageOf(IntegrationDto) {}

export class RequestSyncDto {
  @ApiPropertyOptional({
    default: false,
    description: 'true: all of it, not only what changed since the last sync; the first one is full anyway',
  })
  @MayBeLeftOut()
  @IsBoolean()
  full?: boolean;
}

export class RequestedSyncDto {
  @ApiProperty({ format: 'uuid' })
  syncId!: string;
}

export class SyncErrorDto {
  @ApiProperty({ example: 'hosts page 3' })
  what!: string;
  @ApiProperty()
  message!: string;
}

/** One sync (api.md: integration history). */
export class SyncDto extends SyncStateDto {
  @ApiProperty({ format: 'uuid' })
  syncId!: string;
  @ApiProperty({ enum: ['manual', 'scheduled', 'catchUp'] })
  action!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User name; null: nobody asked for it' })
  startedBy!: string | null;
  @ApiProperty({ format: 'date-time' })
  requestedAt!: string;
  @ApiProperty({ description: 'Whether all was pulled, or what changed since the sync before' })
  full!: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Records and signals by what became of them',
  })
  counts!: object;
  @ApiProperty({ type: [SyncErrorDto], description: 'What failed, the first so many' })
  errors!: SyncErrorDto[];
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 3,
    description: 'Which repetition of a scheduled sync that failed; 0: it is none',
  })
  retry!: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'User name; null: nobody has asked for its end. A sync that was done before has ended by itself',
  })
  cancelledBy!: string | null;
  @ApiProperty({
    type: String,
    enum: ['cancelled', 'overBudget', 'interrupted', null],
    nullable: true,
    description:
      'Why it was cut off: a user cancelled it, it took more than 4 hours or 5,000 pages, or its collector stopped. What was applied stays, and the next sync continues there; null: it came to its end, or failed',
  })
  endReason!: string | null;
  @ApiProperty({
    type: UploadOutcomeDto,
    nullable: true,
    description:
      'Created, updated and unchanged, as far as it is folded; null: nothing is, or nothing was brought',
  })
  outcome!: UploadOutcomeDto | null;
}

export class SyncPageDto extends pageOf(SyncDto) {}

const Note = () =>
  ApiProperty({ type: String, nullable: true, description: 'Why it is empty, where it always is' });

/** The card's Finding View. */
export class FindingViewDto extends pageOf(FindingItemDto) {
  @Note()
  note!: string | null;
}

/** The card's Asset View. */
export class AssetViewDto extends pageOf(AssetDto) {
  @Note()
  note!: string | null;
}
