import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsObject, IsString, Length } from 'class-validator';
import type { IntegrationSubType, IntegrationType } from '#libs/domain';
import { CHECK_NAMES, CONNECTOR_KINDS } from '#libs/integrations';
import { AssetDto } from '../assets/asset.dto.ts';
import { FindingItemDto } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';
import { NAME_CHARACTERS_MAX } from '../organization/asset-option.dto.ts';
import { pageOf } from '../paging/page.ts';
import { UploadOutcomeDto } from '../uploads/upload.dto.ts';
import { CONFIG_FORMS } from './integration-config.dto.ts';

const KINDS = Object.values(CONNECTOR_KINDS);
const TYPES = [...new Set(KINDS.map(({ type }) => type))];
const SUB_TYPES = KINDS.map(({ subType }) => subType);
const FORMS = Object.values(CONFIG_FORMS);
const SHOWN = FORMS.map(({ shown }) => shown);
const WHOLE = FORMS.map(({ whole }) => whole);
const CHANGES = FORMS.map(({ changes }) => changes);

const anyOf = (...models: (new () => object)[]) => ({
  anyOf: models.map((model) => ({ $ref: getSchemaPath(model) })),
});

@ApiExtraModels(...WHOLE)
class DefinitionDto {
  @ApiProperty({
    enum: TYPES,
    description:
      '`edrplugin` imports detections, `assetinventory` imports asset metadata, `vulnerabilityscanner` imports vulnerabilities',
  })
  @IsIn(TYPES)
  type!: IntegrationType;

  @ApiProperty({
    enum: SUB_TYPES,
    description: `The platform: ${KINDS.map(({ type, subType }) => `\`${subType}\` for \`${type}\``).join(', ')}`,
  })
  @IsIn(SUB_TYPES)
  subType!: IntegrationSubType;

  @ApiProperty(anyOf(...WHOLE))
  @IsObject()
  config!: Record<string, unknown>;
}

/** An integration definition. */
export class AddIntegrationDto extends DefinitionDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'EDR Berlin',
    description: 'Source name of its signals, which a later rename does not change. Default: `subType`',
  })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  name?: string;
}

@ApiExtraModels(...CHANGES)
export class ChangeIntegrationDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: NAME_CHARACTERS_MAX })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  name?: string;

  @ApiPropertyOptional({
    ...anyOf(...CHANGES),
    description:
      'Fields to change. A different `url`, `clientId`, `apiKey` or `accessKey` requires the secret, because a stored secret is never sent to another address',
  })
  @MayBeLeftOut()
  @IsObject()
  config?: Record<string, unknown>;

  @IsSeenVersion('integration')
  version?: number;
}

/** A definition that is not saved; its name does not matter. */
export class TestIntegrationDto extends AddIntegrationDto {}

@ApiExtraModels(...CHANGES)
export class TestSavedIntegrationDto {
  @ApiPropertyOptional({
    ...anyOf(...CHANGES),
    description: 'Fields that override the saved ones for the test',
  })
  @MayBeLeftOut()
  @IsObject()
  config?: Record<string, unknown>;
}

export class ConnectionCheckDto {
  @ApiProperty({ enum: CHECK_NAMES })
  name!: string;
  @ApiProperty()
  ok!: boolean;
  @ApiProperty()
  message!: string;
}

export class ConnectionTestDto {
  @ApiProperty({ description: 'true if all checks succeeded' })
  ok!: boolean;
  @ApiProperty({ description: 'Result of the first failed check, or a success message' })
  message!: string;
  @ApiProperty({ type: [ConnectionCheckDto] })
  checks!: ConnectionCheckDto[];
}

const STAGES = ['QUEUED', 'TRANSFORMING', 'COMPLETED', 'ERROR'];
const STATUSES = 'Success, In Progress, Error, Partial Success';

/** Stage and status of a sync. */
export class SyncStateDto {
  @ApiProperty({ enum: STAGES })
  stage!: string;
  @ApiProperty({ minimum: 0, maximum: 100, description: 'Progress of the stage in percent' })
  percent!: number;
  @ApiProperty({ enum: [0, 1, 2, 3], type: Number, description: STATUSES })
  status!: number;
  @ApiProperty({ enum: STATUSES.split(', ') })
  statusName!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null while the sync is pending',
  })
  startedAt!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;
  @ApiProperty({
    type: String,
    enum: ['cancelled', 'overBudget', 'interrupted', null],
    nullable: true,
    description:
      'Reason if the sync was stopped early: a user cancelled it, it exceeded its limit of time or pages, or it was interrupted because its collector stopped or its integration was changed. Applied changes remain. The next sync of an EDR platform continues from there, unless address, account or selection were changed; other syncs begin again. null if the sync completed or failed',
  })
  endReason!: string | null;
}

/** An integration. */
@ApiExtraModels(...SHOWN)
export class IntegrationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ minimum: 1, description: 'Each change increments it' })
  version!: number;
  @ApiProperty({ enum: TYPES })
  type!: IntegrationType;
  @ApiProperty({ enum: SUB_TYPES })
  subType!: IntegrationSubType;
  @ApiProperty()
  name!: string;
  @ApiProperty({ description: 'Source name of its signals: the name that the integration was created with' })
  source!: string;
  @ApiProperty({
    ...anyOf(...SHOWN),
    description: 'Configuration without the fields in `sensitiveFields`',
  })
  config!: object;
  @ApiProperty({
    type: [String],
    example: ['clientSecret'],
    description: 'Fields that are stored encrypted and never returned',
  })
  sensitiveFields!: string[];
  @ApiProperty({
    enum: ['complete', 'incomplete'],
    description: '`incomplete`: a secret must be entered again',
  })
  configState!: string;
  @ApiProperty({
    type: SyncStateDto,
    nullable: true,
    description: 'State of the last sync; null if there was no sync',
  })
  sync!: SyncStateDto | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the next automatic sync, from `autoSyncDays`, or 5, 15 and 60 minutes after a failed scheduled sync. A time in the past means that the sync starts shortly. null if no sync is scheduled',
  })
  nextSyncAt!: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export class IntegrationPageDto extends pageOf(IntegrationDto) {}

export class RequestSyncDto {
  @ApiPropertyOptional({
    default: false,
    description:
      'true: imports all data, not only changes since the last sync. The first sync is always full',
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

/** One sync. */
export class SyncDto extends SyncStateDto {
  @ApiProperty({ format: 'uuid' })
  syncId!: string;
  @ApiProperty({ enum: ['manual', 'scheduled', 'catchUp'] })
  action!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User name; null for an automatic sync' })
  startedBy!: string | null;
  @ApiProperty({ format: 'date-time' })
  requestedAt!: string;
  @ApiProperty({ description: 'true: imports all data; false: imports changes since the previous sync' })
  full!: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Number of records and signals by outcome',
  })
  counts!: object;
  @ApiProperty({
    type: [SyncErrorDto],
    description: 'The first errors; if the sync stopped early, the cause comes first',
  })
  errors!: SyncErrorDto[];
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 3,
    description: 'Number of this retry of a failed scheduled sync; 0 if the sync is not a retry',
  })
  retry!: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'User who cancelled the sync; null if no user did. A sync that had already finished ended by itself',
  })
  cancelledBy!: string | null;
  @ApiProperty({
    type: UploadOutcomeDto,
    nullable: true,
    description:
      'Number of created, updated and unchanged objects; while the sync runs, of those processed so far; null if nothing was imported, or if not everything is processed after the end',
  })
  outcome!: UploadOutcomeDto | null;
}

export class SyncPageDto extends pageOf(SyncDto) {}

const Note = () =>
  ApiProperty({
    type: String,
    nullable: true,
    description: 'Reason if the view is always empty for this integration',
  });

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
