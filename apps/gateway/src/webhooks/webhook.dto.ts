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
import { FINDING_STATES } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { pageOf } from '../paging/page.ts';
import { IsReceiverUrl } from './receiver-url.ts';

const POSITION_CHARACTERS_MAX = 16_384;
const SECRET_CHARACTERS_MAX = 100;
const VERSION_MAX = 2 ** 31 - 1;

/** Of findings; assets and scores are all told. */
export class WebhookFilterDto {
  @ApiPropertyOptional({ minimum: 0, maximum: 10, description: 'Findings of this severity or a higher one' })
  @MayBeLeftOut()
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;

  @ApiPropertyOptional({
    enum: FINDING_STATES,
    isArray: true,
    description: 'Findings that have one of these states after the change, or had one before it',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(FINDING_STATES, { each: true, message: `states must hold of ${FINDING_STATES.join(', ')}` })
  states?: string[];
}

const IsSecret = () =>
  applyDecorators(
    ApiPropertyOptional({
      writeOnly: true,
      format: 'password',
      maxLength: SECRET_CHARACTERS_MAX,
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
      description: '`whsec_` and 24 to 64 bytes in base64 (Standard Webhooks); made where it is left out',
    }),
    MayBeLeftOut(),
    IsString(),
    MaxLength(SECRET_CHARACTERS_MAX),
    ValidateBy(
      {
        name: 'isSecret',
        validator: { validate: (value) => typeof value === 'string' && keyOf(value) !== null },
      },
      { message: 'secret must be whsec_ and 24 to 64 bytes in base64' },
    ),
  );

const FROM =
  'A position, as an event has it, or the `id` of an event of `GET /api/v3/changes`: what follows it is delivered. Or an instant: what changed from then on is';

const IsPlace = () => applyDecorators(IsString(), MaxLength(POSITION_CHARACTERS_MAX));

/** What is asked for, and told. */
class WebhookConfigDto {
  @IsReceiverUrl()
  url!: string;

  @ApiProperty({ enum: STREAM_TOPICS, isArray: true, description: 'What is delivered' })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(STREAM_TOPICS, { each: true, message: `topics must be some of ${STREAM_TOPICS.join(', ')}` })
  topics!: StreamTopic[];

  @ApiProperty({ type: WebhookFilterDto, description: 'Which changes of findings; empty: all' })
  @IsObject()
  @ValidateNested()
  @Type(() => WebhookFilterDto)
  filter!: WebhookFilterDto;

  @ApiProperty({ description: 'false: nothing is delivered, and nothing is lost' })
  @IsBoolean()
  enabled!: boolean;
}

/** All topics, no filter and enabled where nothing is said of it. */
export class AddWebhookDto extends IntersectionType(
  PickType(WebhookConfigDto, ['url']),
  PartialType(OmitType(WebhookConfigDto, ['url']), { skipNullProperties: false }),
) {
  @IsSecret()
  secret?: string;

  @ApiPropertyOptional({
    maxLength: POSITION_CHARACTERS_MAX,
    description: `${FROM}. Now where it is left out`,
  })
  @MayBeLeftOut()
  @IsPlace()
  from?: string;
}

class SeenVersionDto {
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

/** What a PATCH may give; the rest stays. A topic that is new is delivered from now on. */
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
      '`user`: somebody paused it; `gone`: the receiver answered 410; `exhausted`: one delivery was tried for three days; `gap`: changes are missing behind its position; `restored`: this is from a backup, and what it comes from may deliver still',
  })
  reason!: PauseReason;
  @ApiProperty()
  message!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** Where changes are delivered to; never its secret. */
export class WebhookDto extends WebhookConfigDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ minimum: 1, description: 'Counts what users change' })
  version!: number;
  @ApiProperty({
    type: WebhookPauseDto,
    nullable: true,
    description: 'Why it delivers nothing; null: it does',
  })
  paused!: WebhookPauseDto | null;
  @ApiProperty({ description: 'Everything up to here is delivered, or was passed over by the filter' })
  position!: string;
  @ApiProperty({
    minimum: 0,
    description: 'Changes behind the position, those that the filter passes over too',
  })
  behind!: number;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when the secret before the last rotation signs too; null: it does not',
  })
  previousSecretUntil!: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

class ShownSecretDto {
  @ApiProperty({ description: 'Shown this once' })
  secret!: string;
}

export class WebhookWithSecretDto extends IntersectionType(WebhookDto, ShownSecretDto) {}

export class WebhookPageDto extends pageOf(WebhookDto) {}

export class WebhookAnswerDto {
  @ApiProperty({ type: Number, nullable: true, description: 'Of HTTP; null: there was no answer' })
  status!: number | null;
  @ApiProperty({ description: 'What it means; what the receiver says itself is not kept' })
  message!: string;
  @ApiProperty({ description: 'How long it took' })
  ms!: number;
}

export class WebhookTestDto extends WebhookAnswerDto {
  @ApiProperty({ description: 'Whether the receiver took it' })
  ok!: boolean;
  @ApiProperty({ description: 'webhook-id that it was sent under' })
  messageId!: string;
}

const Instant = (description: string) =>
  ApiProperty({ type: String, format: 'date-time', nullable: true, description });

/** What lies between two positions, sent under one id until it is taken. */
export class DeliveryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ description: 'webhook-id that it is sent under' })
  messageId!: string;
  @ApiProperty({
    enum: ['pending', 'delivered', 'superseded'],
    description: '`superseded`: what it was to bring was decided anew before it was taken',
  })
  status!: string;
  @ApiProperty({ description: 'Position before its first change: a replay from here sends it again' })
  from!: string;
  @ApiProperty()
  to!: string;
  @ApiProperty()
  changes!: number;
  @ApiProperty({ description: 'Of its body' })
  bytes!: number;
  @ApiProperty({ description: 'Since it was made, or its webhook was resumed' })
  attempts!: number;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @Instant('null: none was made yet')
  lastAttemptAt!: string | null;
  @Instant('null: at once, once it is not paused; or never again')
  nextAttemptAt!: string | null;
  @Instant('null: it is pending')
  finishedAt!: string | null;
  @ApiProperty({ type: WebhookAnswerDto, nullable: true, description: 'To the last attempt' })
  answer!: WebhookAnswerDto | null;
}

export class DeliveryPageDto extends pageOf(DeliveryDto) {}
