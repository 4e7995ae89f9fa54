import { applyDecorators } from '@nestjs/common';
import {
  ApiProperty,
  ApiPropertyOptional,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { keyOf, PAUSE_REASONS, type PauseReason } from '#libs/webhooks';
import { AddRowLimitsDto, RowLimitsDto } from '../auth/row-limits.dto.ts';
import { FINDING_STATES } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { pageOf } from '../paging/page.ts';
import { IsReceiverUrl } from './receiver-url.ts';

const POSITION_CHARACTERS_MAX = 16_384;
const SECRET_CHARACTERS_MAX = 100;
const VERSION_MAX = 2 ** 31 - 1;

/** Applies to findings; all assets and scores are delivered. */
export class WebhookFilterDto {
  @ApiPropertyOptional({ minimum: 0, maximum: 10, description: 'Only findings with this severity or higher' })
  @MayBeLeftOut()
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;

  @ApiPropertyOptional({
    enum: FINDING_STATES,
    isArray: true,
    description: 'Only findings that have one of these states before or after the change',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(FINDING_STATES, { each: true, message: `states must be a list of ${FINDING_STATES.join(', ')}` })
  states?: string[];
}

const IsSecret = () =>
  applyDecorators(
    ApiPropertyOptional({
      writeOnly: true,
      format: 'password',
      maxLength: SECRET_CHARACTERS_MAX,
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
      description:
        '`whsec_` followed by 24 to 64 bytes in base64 (Standard Webhooks). Default: a generated secret',
    }),
    MayBeLeftOut(),
    IsString(),
    MaxLength(SECRET_CHARACTERS_MAX),
    ValidateBy(
      {
        name: 'isSecret',
        validator: { validate: (value) => typeof value === 'string' && keyOf(value) !== null },
      },
      { message: 'secret must be whsec_ followed by 24 to 64 bytes in base64' },
    ),
  );

const FROM =
  'Position of an event, or `id` of an event of `GET /api/v3/changes`: delivery starts with the next change. Or a time: delivery starts with the first change at or after it';

const IsPlace = () => applyDecorators(IsString(), MaxLength(POSITION_CHARACTERS_MAX));

/** The requested fields, which are also returned. */
class WebhookConfigDto {
  @IsReceiverUrl()
  url!: string;

  @ApiProperty({ enum: STREAM_TOPICS, isArray: true, description: 'Topics to deliver' })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(STREAM_TOPICS, { each: true, message: `topics must be one or more of ${STREAM_TOPICS.join(', ')}` })
  topics!: StreamTopic[];

  @ApiProperty({ type: WebhookFilterDto, description: 'Filter for changes of findings; empty: all changes' })
  @IsObject()
  @ValidateNested()
  @Type(() => WebhookFilterDto)
  filter!: WebhookFilterDto;

  @ApiProperty({ description: 'false: delivery is paused. No changes are lost' })
  @IsBoolean()
  enabled!: boolean;
}

/** All topics, no filter and enabled if nothing is said of it. */
export class AddWebhookDto extends IntersectionType(
  PickType(WebhookConfigDto, ['url']),
  PartialType(OmitType(WebhookConfigDto, ['url']), { skipNullProperties: false }),
  AddRowLimitsDto,
) {
  @IsSecret()
  secret?: string;

  @ApiPropertyOptional({
    maxLength: POSITION_CHARACTERS_MAX,
    description: `${FROM}. Default: the present`,
  })
  @MayBeLeftOut()
  @IsPlace()
  from?: string;
}

class SeenVersionDto {
  @ApiPropertyOptional({
    minimum: 1,
    description: 'Version that the caller read. The request fails with 409 if the webhook has changed since',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(VERSION_MAX)
  version?: number;
}

/** The fields of a PATCH; the others are unchanged. A topic that is new is delivered from now on. */
export class ChangeWebhookDto extends IntersectionType(
  PartialType(WebhookConfigDto, { skipNullProperties: false }),
  SeenVersionDto,
) {}

export class RotateWebhookDto extends PickType(AddWebhookDto, ['secret']) {}

export class ReplayWebhookDto {
  @ApiProperty({ maxLength: POSITION_CHARACTERS_MAX, description: FROM, example: '2026-01-31T12:00:00Z' })
  @IsPlace()
  from!: string;
}

export class WebhookPauseDto {
  @ApiProperty({
    enum: PAUSE_REASONS,
    description:
      '`user`: a user paused it; `gone`: the receiver returned 410; `exhausted`: retries of a delivery failed for three days; `gap`: changes after its position are missing; `restored`: the database is restored from a backup, and the original may still deliver',
  })
  reason!: PauseReason;
  @ApiProperty()
  message!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** Where changes are delivered to; never its secret. */
export class WebhookDto extends IntersectionType(WebhookConfigDto, RowLimitsDto) {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ minimum: 1, description: 'Each change by a user increments it' })
  version!: number;
  @ApiProperty({
    type: WebhookPauseDto,
    nullable: true,
    description: 'Reason for the pause; null while active',
  })
  paused!: WebhookPauseDto | null;
  @ApiProperty({
    description:
      'All changes up to this position are delivered or skipped. For limited callers it is encrypted, and another text in each response',
  })
  position!: string;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description:
      'Number of changes after the position, including changes that are not delivered; null for limited callers',
  })
  behind!: number | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time until which the previous secret also signs; null if it does not sign',
  })
  previousSecretUntil!: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

class ShownSecretDto {
  @ApiProperty({ description: 'Returned only in this response' })
  secret!: string;
}

export class WebhookWithSecretDto extends IntersectionType(WebhookDto, ShownSecretDto) {}

export class WebhookPageDto extends pageOf(WebhookDto) {}

export class WebhookAnswerDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'HTTP status code; null if there was no response',
  })
  status!: number | null;
  @ApiProperty({ description: 'Description of the result. The response body of the receiver is not stored' })
  message!: string;
  @ApiProperty({ description: 'Duration in milliseconds' })
  ms!: number;
}

export class WebhookTestDto extends WebhookAnswerDto {
  @ApiProperty({ description: 'true if the receiver accepted the event' })
  ok!: boolean;
  @ApiProperty({ description: 'webhook-id of the request' })
  messageId!: string;
}

const Instant = (description: string) =>
  ApiProperty({ type: String, format: 'date-time', nullable: true, description });

/** What is between two positions, sent under one id until it is taken. */
export class DeliveryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ description: 'webhook-id of the delivery' })
  messageId!: string;
  @ApiProperty({
    enum: ['pending', 'delivered', 'superseded'],
    description: '`superseded`: replaced by a new delivery before the receiver accepted it',
  })
  status!: string;
  @ApiProperty({
    description:
      'Position before the first change of the delivery. A replay from this position sends it again',
  })
  from!: string;
  @ApiProperty()
  to!: string;
  @ApiProperty()
  changes!: number;
  @ApiProperty({ description: 'Size of the body' })
  bytes!: number;
  @ApiProperty({
    description: 'Number of attempts since the delivery was created or its webhook was resumed',
  })
  attempts!: number;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @Instant('null if no attempt has been made')
  lastAttemptAt!: string | null;
  @Instant(
    'null if the attempt is due immediately or when the webhook is resumed, or if the delivery is finished',
  )
  nextAttemptAt!: string | null;
  @Instant('null while the delivery is pending')
  finishedAt!: string | null;
  @ApiProperty({ type: WebhookAnswerDto, nullable: true, description: 'Response to the last attempt' })
  answer!: WebhookAnswerDto | null;
}

export class DeliveryPageDto extends pageOf(DeliveryDto) {}
