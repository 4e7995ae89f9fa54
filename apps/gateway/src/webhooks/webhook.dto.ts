import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { FINDING_TYPES, type FindingType, posture2 } from '#libs/domain';
import { PAUSE_REASONS, type PauseReason, WEBHOOK_KINDS, type WebhookKind } from '#libs/webhooks';
import { AddRowLimitsDto, RowLimitsDto } from '../auth/row-limits.dto.ts';
import { FINDING_STATES } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { pageOf } from '../paging/page.ts';
import { IsSecret } from './is-secret.ts';
import { IsReceiverUrl } from './receiver-url.ts';

const POSITION_CHARACTERS_MAX = 16_384;

const OPENED_PER_HOUR_MAX = 1_000;
const LABELS_MAX = 10;
const CHANNEL_CHARACTERS_MAX = 80;
/** Of Jira. */
const [PROJECT_CHARACTERS_MAX, NAME_CHARACTERS_MAX] = [255, 60];
const USER_CHARACTERS_MAX = 200;
const ADDRESS_CHARACTERS_MAX = 254;
const RECIPIENTS_MAX = 20;
/** Of GitHub; Jira has more. */
const LABEL_CHARACTERS_MAX = 50;

/** Applies to findings; all assets and scores are delivered. */
export class WebhookFilterDto {
  @ApiPropertyOptional({
    minimum: 0,
    maximum: 10,
    description:
      'Only findings with this severity or higher, and changes that leave one of `states` (default: Failed, NotAssessed, AcceptedFailed)',
  })
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

  @ApiPropertyOptional({ enum: FINDING_TYPES, isArray: true, description: 'Only findings of these types' })
  @MayBeLeftOut()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(FINDING_TYPES, { each: true, message: `types must be a list of ${FINDING_TYPES.join(', ')}` })
  types?: FindingType[];

  @ApiPropertyOptional({
    enum: posture2.SSVC_DECISIONS,
    isArray: true,
    description:
      'Only findings with one of these SSVC decisions. For tickets only. A ticket stays open if the decision changes later',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(posture2.SSVC_DECISIONS, {
    each: true,
    message: `ssvc must be a list of ${posture2.SSVC_DECISIONS.join(', ')}`,
  })
  ssvc?: posture2.SsvcDecision[];
}

/** Settings of a webhook that keeps tickets. */
export class TicketOptionsDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: OPENED_PER_HOUR_MAX,
    description: 'Tickets opened in an hour. Further ones wait. Default: 60',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(OPENED_PER_HOUR_MAX)
  openedPerHourMax?: number;

  @ApiPropertyOptional({
    isArray: true,
    type: String,
    maxItems: LABELS_MAX,
    description: '`github`, `jira`: labels of new issues. Those of Jira must not contain spaces',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(LABELS_MAX)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, LABEL_CHARACTERS_MAX, { each: true })
  labels?: string[];

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: CHANNEL_CHARACTERS_MAX,
    example: '#risk',
    description: '`slack`, `teams`: name of the channel, shown instead of its address',
  })
  @MayBeLeftOut()
  @IsString()
  @Length(1, CHANNEL_CHARACTERS_MAX)
  channel?: string;

  @ApiPropertyOptional({
    minLength: 2,
    maxLength: PROJECT_CHARACTERS_MAX,
    example: 'RISK',
    description: '`jira`: key of the project; required. New issues are created there',
  })
  @MayBeLeftOut()
  @IsString()
  @Length(2, PROJECT_CHARACTERS_MAX)
  project?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'Task',
    description: '`jira`: name of the type of new issues; required',
  })
  @MayBeLeftOut()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  issueType?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'Done',
    description:
      '`jira`: name of the resolution to set when an issue is closed, if the transition has one on its screen',
  })
  @MayBeLeftOut()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  resolution?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: USER_CHARACTERS_MAX,
    description:
      '`jira`: e-mail address of the account of the token; required. `email`: user name at the mail server, if it requires one. It then requires encryption, and `secret`',
  })
  @MayBeLeftOut()
  @IsString()
  @Length(1, USER_CHARACTERS_MAX)
  @Matches(/^[^\0\r\n]+$/, { message: 'user must not contain line breaks' })
  user?: string;

  @ApiPropertyOptional({
    format: 'email',
    maxLength: ADDRESS_CHARACTERS_MAX,
    description: '`email`: sender; required',
  })
  @MayBeLeftOut()
  @IsEmail()
  @MaxLength(ADDRESS_CHARACTERS_MAX)
  from?: string;

  @ApiPropertyOptional({
    isArray: true,
    type: String,
    format: 'email',
    minItems: 1,
    maxItems: RECIPIENTS_MAX,
    description: '`email`: recipients; required',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(RECIPIENTS_MAX)
  @ArrayUnique()
  @IsEmail({}, { each: true })
  @MaxLength(ADDRESS_CHARACTERS_MAX, { each: true })
  to?: string[];
}

const FROM =
  'Position of an event, or `id` of an event of `GET /api/v3/changes`: delivery starts with the next change. Or a time: delivery starts with the first change at or after it';

const IsPlace = () => applyDecorators(IsString(), MaxLength(POSITION_CHARACTERS_MAX));

/** What stays for the life of a webhook. */
class WebhookKindDto {
  @ApiProperty({
    enum: WEBHOOK_KINDS,
    description:
      '`cloudevents`: delivers changes as signed CloudEvents. Otherwise: keeps a ticket for each matching finding, `github`: issues of the repository `url`, `jira`: issues of a project of the site `url`, `slack`, `teams`: messages to a channel, `email`: messages by the mail server `url`',
  })
  @IsIn(WEBHOOK_KINDS, { message: `kind must be one of ${WEBHOOK_KINDS.join(', ')}` })
  kind!: WebhookKind;
}

/** The requested fields, which are also returned. */
class WebhookConfigDto {
  @IsReceiverUrl('any')
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

  @ApiProperty({ type: TicketOptionsDto, description: 'Settings of tickets; empty for `cloudevents`' })
  @IsObject()
  @ValidateNested()
  @Type(() => TicketOptionsDto)
  options!: TicketOptionsDto;

  @ApiProperty({ description: 'false: delivery is paused. No changes are lost' })
  @IsBoolean()
  enabled!: boolean;
}

/** Of kind `cloudevents`, with all topics, no filter and enabled if nothing is said of it. */
export class AddWebhookDto extends IntersectionType(
  PartialType(WebhookKindDto, { skipNullProperties: false }),
  PartialType(WebhookConfigDto, { skipNullProperties: false }),
  AddRowLimitsDto,
) {
  @IsSecret(
    '`cloudevents`: `whsec_` followed by 24 to 64 bytes in base64 (Standard Webhooks), by default generated. `github`: an access token with the permission to write issues. `jira`: an API token. `slack`, `teams`: the address of the incoming webhook, or of the workflow. `email`: the password of `options.user`. Stored encrypted',
  )
  secret?: string;

  @ApiPropertyOptional({
    maxLength: POSITION_CHARACTERS_MAX,
    description: `${FROM}. Default: the present`,
  })
  @MayBeLeftOut()
  @IsPlace()
  from?: string;
}

class WebhookVersionDto {
  @IsSeenVersion('webhook')
  version?: number;
}

/** The fields of a PATCH; the others are unchanged. A topic that is new is delivered from now on. */
export class ChangeWebhookDto extends IntersectionType(
  PartialType(WebhookConfigDto, { skipNullProperties: false }),
  WebhookVersionDto,
) {
  @IsSecret(
    '`jira`, `email`: the secret again, or another one. Required if `url` or `options.user` changes. Stored encrypted. Secrets of other kinds are replaced by `rotate`',
  )
  secret?: string;
}

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
export class WebhookDto extends IntersectionType(WebhookKindDto, WebhookConfigDto, RowLimitsDto) {
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
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Returned only in this response, and only for `cloudevents`; otherwise null',
  })
  secret!: string | null;
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
  @ApiProperty({
    description:
      'Description of the result. The response body of the receiver is not stored. For tickets: how many were opened and closed',
  })
  message!: string;
  @ApiProperty({ description: 'Duration in milliseconds' })
  ms!: number;
}

export class WebhookTestDto extends WebhookAnswerDto {
  @ApiProperty({ description: 'true if the receiver accepted the event, or the system the request' })
  ok!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'webhook-id of the request; null for tickets',
  })
  messageId!: string | null;
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
  @ApiProperty({ description: 'Size of the body; 0 for tickets' })
  bytes!: number;
  @ApiProperty({
    description:
      'Number of attempts since the delivery was created, its webhook was resumed, or an attempt last changed a ticket',
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
