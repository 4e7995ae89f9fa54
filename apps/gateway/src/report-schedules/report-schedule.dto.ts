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
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsObject,
  IsString,
  IsTimeZone,
  Length,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { MayBeNull } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';
import { pageOf } from '../paging/page.ts';
import { QUERY_CHARACTERS_MAX } from '../query-terms/address-query.ts';
import { IsSecret } from '../webhooks/is-secret.ts';
import { MAIL_ADDRESS_CHARACTERS_MAX, MailServerDto } from '../webhooks/mail-server.dto.ts';
import { IsReceiverUrl } from '../webhooks/receiver-url.ts';
import {
  CHANNELS,
  REPORTS,
  type ReportChannel,
  type ReportKind,
  STOP_REASONS,
  type StopReason,
} from './report-schedule.ts';

const NAME_CHARACTERS_MAX = 100;
const CRON_CHARACTERS_MAX = 200;
const ZONE_CHARACTERS_MAX = 64;
const RECIPIENTS_MAX = 20;
/** Times of a preview. */
export const NEXT_TIMES = 5;

/** The mail server and the recipients of a report. */
export class ReportEmailDto extends MailServerDto {
  @ApiProperty({
    isArray: true,
    type: String,
    format: 'email',
    minItems: 1,
    maxItems: RECIPIENTS_MAX,
    description: 'Recipients. Stored encrypted, and not in the audit trail',
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(RECIPIENTS_MAX)
  @ArrayUnique()
  @IsEmail({}, { each: true })
  @MaxLength(MAIL_ADDRESS_CHARACTERS_MAX, { each: true })
  to!: string[];
}

export class SetReportEmailDto extends ReportEmailDto {
  @IsSecret('Password of `user`. Stored encrypted. A change may omit it if `url` and `user` stay as they are')
  password?: string;
}

/** A receiver of a report. */
export class ReportWebhookDto {
  @IsReceiverUrl('web')
  url!: string;
}

export class SetReportWebhookDto extends ReportWebhookDto {
  @IsSecret(
    '`whsec_` followed by 24 to 64 bytes in base64 (Standard Webhooks). Default: the present one, or a new one, which the response returns once',
  )
  secret?: string;
}

/** When: cron expression and time zone. */
export class CalendarDto {
  @ApiProperty({
    maxLength: CRON_CHARACTERS_MAX,
    example: '0 8 * * 1',
    description:
      'Cron expression of five fields: minute, hour, day of the month, month, day of the week. The minute is one number: once an hour at most. `0 8 * * 1`: Mondays at 8:00; `0 8 1 * *`: the first of each month; `0 8 L * *`: its last day',
  })
  @IsString()
  @MaxLength(CRON_CHARACTERS_MAX)
  cron!: string;

  @ApiProperty({
    maxLength: ZONE_CHARACTERS_MAX,
    example: 'Europe/Berlin',
    description:
      'IANA time zone of `cron`. If `cron` names one hour, a time that the clock skips occurs when the clock has been set, and one that it repeats occurs once. If it names several, a time that the clock skips does not occur, and one that it repeats occurs twice',
  })
  @MaxLength(ZONE_CHARACTERS_MAX)
  @IsTimeZone({ message: 'timeZone must be an IANA time zone, such as Europe/Berlin or UTC' })
  timeZone!: string;
}

class ScheduleFieldsDto extends CalendarDto {
  @ApiProperty({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'Weekly for the board',
    description: 'Also in the subject of messages',
  })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  @Matches(/^[^\0\r\n]+$/, { message: 'name must not contain line breaks' })
  name!: string;

  @ApiProperty({ enum: REPORTS, description: 'As of `GET /api/v3/reports/board` or `/technical`' })
  @IsIn(REPORTS, { message: `report must be one of ${REPORTS.join(', ')}` })
  report!: ReportKind;

  @ApiProperty({
    maxLength: QUERY_CHARACTERS_MAX,
    example: 'department=Sales&severityMin=7',
    description:
      'Of a technical report: query parameters of `GET /api/v3/reports/technical`, encoded as in an address, without `asOf`. Empty: all findings',
  })
  @IsString()
  @MaxLength(QUERY_CHARACTERS_MAX)
  query!: string;

  @ApiProperty({ description: 'false: nothing is sent. Its deliveries that wait end' })
  @IsBoolean()
  enabled!: boolean;
}

class SetChannelsDto {
  @ApiPropertyOptional({ type: SetReportEmailDto, nullable: true, description: 'Sends by e-mail' })
  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => SetReportEmailDto)
  email?: SetReportEmailDto | null;

  @ApiPropertyOptional({
    type: SetReportWebhookDto,
    nullable: true,
    description: 'Sends a signed CloudEvent with the report as `data`. `email` or `webhook` is required',
  })
  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => SetReportWebhookDto)
  webhook?: SetReportWebhookDto | null;
}

/** Enabled, in UTC and without a filter unless the body says so. */
export class AddReportScheduleDto extends IntersectionType(
  PickType(ScheduleFieldsDto, ['name', 'report', 'cron']),
  PartialType(PickType(ScheduleFieldsDto, ['query', 'timeZone', 'enabled']), { skipNullProperties: false }),
  SetChannelsDto,
) {}

/** Omitted fields keep their values. */
export class ChangeReportScheduleDto extends IntersectionType(
  PartialType(OmitType(ScheduleFieldsDto, ['report']), { skipNullProperties: false }),
  SetChannelsDto,
) {
  @IsSeenVersion('schedule')
  version?: number;
}

export class ScheduleStopDto {
  @ApiProperty({
    enum: STOP_REASONS,
    description:
      '`access`: its owner was removed, or may no longer read the report or write webhooks; `restored`: the database is restored from a backup, and the original may still send',
  })
  reason!: StopReason;
  @ApiProperty()
  message!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class ReportDeliveryAnswerDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null: no answer, or e-mail' })
  status!: number | null;
  @ApiProperty({ example: 'the mail server accepted the message' })
  message!: string;
  @ApiProperty({ type: 'integer', description: 'Duration in milliseconds' })
  ms!: number;
}

/** One sending of a report by one channel. */
export class ReportDeliveryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ enum: CHANNELS })
  channel!: ReportChannel;
  @ApiProperty({ format: 'date-time', description: 'The report is made as of this time' })
  at!: string;
  @ApiProperty({
    enum: ['schedule', 'catchUp', 'user'],
    description:
      '`schedule`: at its time; `catchUp`: late, because the service did not run: one for all missed times; `user`: a user sent it',
  })
  cause!: 'schedule' | 'catchUp' | 'user';
  @ApiProperty({
    enum: ['pending', 'sent', 'failed'],
    description: '`pending`: being sent, or waits for `nextAttemptAt`; `failed`: it is not tried again',
  })
  status!: 'pending' | 'sent' | 'failed';
  @ApiProperty({ type: 'integer', description: 'Attempts begun. `failed` after 8' })
  attempts!: number;
  @ApiProperty({ description: '`webhook-id`, and part of the `Message-ID`: the same in each repetition' })
  messageId!: string;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastAttemptAt!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Next attempt at the earliest',
  })
  nextAttemptAt!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;
  @ApiProperty({
    type: ReportDeliveryAnswerDto,
    nullable: true,
    description: 'Result of the last attempt; null while one is in progress',
  })
  answer!: ReportDeliveryAnswerDto | null;
}

/** A report that is sent at times of a calendar; never its secrets. */
export class ReportScheduleDto extends ScheduleFieldsDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Each change by a user increments it' })
  version!: number;
  @ApiProperty({ type: ReportEmailDto, nullable: true })
  email!: ReportEmailDto | null;
  @ApiProperty({ type: ReportWebhookDto, nullable: true })
  webhook!: ReportWebhookDto | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'User name of the owner: who changed it last. Reports are made with the rights of the owner. Null: removed',
  })
  owner!: string | null;
  @ApiProperty({
    type: ScheduleStopDto,
    nullable: true,
    description: 'Why the service disabled it; null: it did not',
  })
  stopped!: ScheduleStopDto | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why filter, recipients and addresses cannot be read, which are then empty; null: they can',
  })
  problem!: string | null;
  @ApiProperty({
    type: [String],
    format: 'date-time',
    maxItems: NEXT_TIMES,
    description: 'The next times; empty while disabled',
  })
  next!: string[];
  @ApiProperty({
    type: [ReportDeliveryDto],
    maxItems: CHANNELS.length,
    description: 'The last report, by channel',
  })
  last!: ReportDeliveryDto[];
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

export class ReportScheduleWithSecretDto extends ReportScheduleDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The secret of `webhook` if the service has just generated it; shown only once',
  })
  webhookSecret!: string | null;
}

export class ReportSchedulePageDto extends pageOf(ReportScheduleDto) {}
export class ReportDeliveryPageDto extends pageOf(ReportDeliveryDto) {}

export class CalendarPreviewDto {
  @ApiProperty({ type: [String], format: 'date-time', maxItems: NEXT_TIMES })
  times!: string[];
}
