import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsTimeZone,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { MayBeLeftOut, MayBeNull } from '../http/may-be-left-out.ts';
import { IsInstant } from '../paging/instant.ts';
import { PageQuery, pageOf } from '../paging/page.ts';
import { IsSecret } from '../webhooks/is-secret.ts';
import { MailServerDto } from '../webhooks/mail-server.dto.ts';
import {
  CHANNELS,
  FINDINGS_LISTED_MAX,
  KINDS,
  type NotificationChannel,
  type NotificationKind,
  type NotificationSchedule,
  SCHEDULES,
  SUBJECT_TYPES,
  type SubjectType,
} from './notification.ts';

/** More are shown as `99+`. */
export const UNREAD_MAX = 100;
const TEAMS_MAX = 20;
const TEAM_CHARACTERS_MAX = 254;
const ADDRESS_CHARACTERS_MAX = 2_000;
const ZONE_CHARACTERS_MAX = 64;
const PLACES_MAX = 20;
const PLACE_CHARACTERS_MAX = 253;
/** Parts of letters, digits and hyphens. */
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

export class NotifiedFindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ description: 'Name of its asset' })
  assetName!: string;
}

export class NotifiedSubjectDto {
  @ApiProperty({ enum: SUBJECT_TYPES })
  type!: SubjectType;
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ description: 'Name of the integration or schedule; address or channel of the webhook' })
  name!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why, such as the error of the last sync; null: the problem is over, or there was none',
  })
  reason!: string | null;
}

export class NotificationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({
    enum: KINDS,
    description:
      '`mentioned`: in a comment; `assigned`: a finding was assigned to the caller or to a team that it follows; ' +
      '`commented`: on a finding that the caller or such a team is responsible for; `overdue` and `dueSoon` (within 7 days): such ' +
      'findings; `acceptanceEnding`: the acceptance of such a finding, or one by the caller, ends within 7 days; `syncFailed`: ' +
      'syncs of an integration have begun to fail; `syncRecovered`: they work again; `webhookStopped`: the service stopped a ' +
      'webhook; `reportFailed`: a scheduled report was not made or sent, and is not tried again; `scheduleStopped`: the service ' +
      'stopped a report schedule',
  })
  kind!: NotificationKind;
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User who acted; null: the service' })
  by!: string | null;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Number of findings: those of a bulk act, or of a daily check of due dates (at most 500), are together. 0: it is about ' +
      '`subject`',
  })
  findingCount!: number;
  @ApiProperty({
    type: [NotifiedFindingDto],
    maxItems: FINDINGS_LISTED_MAX,
    description: 'The first ones, as they are now, that the caller sees',
  })
  findings!: NotifiedFindingDto[];
  @ApiProperty({
    type: NotifiedSubjectDto,
    nullable: true,
    description: 'Integration, webhook or report schedule that it is about, as it is now; null: findings',
  })
  subject!: NotifiedSubjectDto | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: unread' })
  readAt!: string | null;
}

export class NotificationPageDto extends pageOf(NotificationDto) {}

export class NotificationsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['true'], description: 'Only unread ones' })
  @MayBeLeftOut()
  @IsIn(['true'])
  unread?: 'true';
}

export class UnreadCountDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: UNREAD_MAX,
    description: `Unread notifications; ${UNREAD_MAX}: as many or more`,
  })
  unread!: number;
}

export class ReadNotificationDto {
  @ApiProperty({ description: 'false: it is unread again' })
  @IsBoolean()
  read!: boolean;
}

export class ReadNotificationsDto {
  @IsInstant({
    description: 'Only those up to this time, such as `at` of the newest one that is shown. Default: all',
  })
  until?: number;
}

const IsTimeOfDay = (description: string) =>
  applyDecorators(
    ApiProperty({ pattern: TIME_OF_DAY.source, example: '08:00', description }),
    Matches(TIME_OF_DAY, { message: '$property must be a time of a day, such as 08:00' }),
  );

/** Nothing is sent in between. */
export class QuietHoursDto {
  @IsTimeOfDay('Beginning, in the time zone')
  from!: string;
  @IsTimeOfDay('End, in the time zone. Earlier than `from`: of the next day')
  to!: string;
}

class PreferencesFieldsDto {
  @ApiProperty({
    enum: KINDS,
    isArray: true,
    uniqueItems: true,
    description:
      'What notifies the caller. `syncFailed` and `syncRecovered` require `integrations:write`; `webhookStopped`, `reportFailed` ' +
      'and `scheduleStopped` require `webhooks:write`',
  })
  @IsArray()
  @ArrayUnique()
  @IsIn(KINDS, { each: true, message: `each kind must be one of ${KINDS.join(', ')}` })
  kinds!: NotificationKind[];

  @ApiProperty({
    type: [String],
    maxItems: TEAMS_MAX,
    uniqueItems: true,
    description: 'Exact names of teams whose findings count as those of the caller. Stored unencrypted',
  })
  @IsArray()
  @ArrayMaxSize(TEAMS_MAX)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, TEAM_CHARACTERS_MAX, { each: true })
  @Matches(/^[^\0]+$/, { each: true, message: 'each of teams must not contain NUL' })
  teams!: string[];

  @ApiProperty({
    enum: SCHEDULES,
    description:
      '`immediate`: what happens within half a minute is one message; `daily` and `weekly`: one message at `dailyAt`',
  })
  @IsIn(SCHEDULES, { message: `schedule must be one of ${SCHEDULES.join(', ')}` })
  schedule!: NotificationSchedule;

  @ApiProperty({
    maxLength: ZONE_CHARACTERS_MAX,
    example: 'Europe/Berlin',
    description: 'IANA time zone of the other times',
  })
  @MaxLength(ZONE_CHARACTERS_MAX)
  @IsTimeZone({ message: 'timeZone must be an IANA time zone, such as Europe/Berlin or UTC' })
  timeZone!: string;

  @IsTimeOfDay('When digests are sent, and due dates are looked at')
  dailyAt!: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 7, description: 'Of a weekly digest: 1 is Monday' })
  @IsInt()
  @Min(1)
  @Max(7)
  weekday!: number;
}

class QuietFieldDto {
  @ApiPropertyOptional({
    type: QuietHoursDto,
    nullable: true,
    description: 'What would be sent in between is sent as one message at their end; null: none',
  })
  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  quiet?: QuietHoursDto | null;
}

class ChannelFieldDto {
  @ApiPropertyOptional({
    enum: CHANNELS,
    type: String,
    nullable: true,
    description: 'Where messages are sent, besides the page: one of `offered`; null: nowhere',
  })
  @MayBeNull()
  @IsIn(CHANNELS, { message: `channel must be one of ${CHANNELS.join(', ')}` })
  channel?: NotificationChannel | null;
}

/** Omitted fields keep their values. */
export class ChangeNotificationPreferencesDto extends IntersectionType(
  PartialType(PreferencesFieldsDto, { skipNullProperties: false }),
  QuietFieldDto,
  ChannelFieldDto,
) {
  @ApiPropertyOptional({
    maxLength: ADDRESS_CHARACTERS_MAX,
    description:
      'E-mail address, or address of an incoming webhook of Slack or of a workflow of Microsoft Teams, of the domains and hosts ' +
      'that an admin permits. Required when `channel` changes. Stored encrypted',
  })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(ADDRESS_CHARACTERS_MAX)
  address?: string;
}

export class NotificationMessageDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({
    enum: ['pending', 'sent', 'failed', 'skipped'],
    description:
      '`pending`: is sent or tried again; `failed`: it is not tried again; `skipped`: everything in it was read before',
  })
  status!: 'pending' | 'sent' | 'failed' | 'skipped';
  @ApiProperty({ type: 'integer', description: 'Attempts begun. `failed` after 8, a test after one' })
  attempts!: number;
  @ApiProperty({ type: String, nullable: true, description: 'Result of the last attempt' })
  message!: string | null;
}

/** How the caller is notified. */
export class NotificationPreferencesDto extends PreferencesFieldsDto {
  @ApiProperty({ type: QuietHoursDto, nullable: true })
  quiet!: QuietHoursDto | null;
  @ApiProperty({ enum: CHANNELS, type: String, nullable: true })
  channel!: NotificationChannel | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'E-mail address; of Slack and Teams, scheme and host of the address',
  })
  address!: string | null;
  @ApiProperty({ enum: CHANNELS, isArray: true, description: 'Channels that an admin has configured' })
  offered!: NotificationChannel[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why nothing is sent, although there is a channel; null if messages are sent',
  })
  problem!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next message is due; null: nothing waits',
  })
  nextMessageAt!: string | null;
  @ApiProperty({ type: NotificationMessageDto, nullable: true, description: 'The last message' })
  lastMessage!: NotificationMessageDto | null;
}

const ArePlaces = (description: string, options: { minItems?: number } = {}) =>
  applyDecorators(
    ApiProperty({
      type: [String],
      maxItems: PLACES_MAX,
      uniqueItems: true,
      example: ['example.com'],
      description,
      ...options,
    }),
    IsArray(),
    ArrayMaxSize(PLACES_MAX),
    ArrayUnique(),
    MaxLength(PLACE_CHARACTERS_MAX, { each: true }),
    Matches(DOMAIN, {
      each: true,
      message: 'each of $property must be a domain in lower case, such as example.com',
    }),
  );

/** The mail server of the site. */
export class NotificationMailDto extends MailServerDto {
  @ArrayNotEmpty()
  @ArePlaces('Domains of e-mail addresses that people can enter', { minItems: 1 })
  domains!: string[];
}

export class SetNotificationMailDto extends NotificationMailDto {
  @IsSecret('Password of `user`. Stored encrypted. May be omitted if `url` and `user` stay as they are')
  password?: string;
}

class PermittedHostsDto {
  @ArePlaces(
    'Hosts of addresses of Slack, such as `hooks.slack.com`, with their subdomains. Empty: no messages there',
  )
  slackHosts!: string[];

  @ArePlaces(
    'Hosts of addresses of workflows of Microsoft Teams, such as `logic.azure.com`. Empty: no messages there',
  )
  teamsHosts!: string[];
}

/** Omitted fields keep their values. */
export class ChangeNotificationSettingsDto extends PartialType(PermittedHostsDto, {
  skipNullProperties: false,
}) {
  @ApiPropertyOptional({ type: SetNotificationMailDto, nullable: true, description: 'null: no e-mail' })
  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => SetNotificationMailDto)
  email?: SetNotificationMailDto | null;
}

/** How the service sends notifications; never the password. */
export class NotificationSettingsDto extends PermittedHostsDto {
  @ApiProperty({ type: NotificationMailDto, nullable: true })
  email!: NotificationMailDto | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why nothing is sent, such as after a restore from a backup; null if messages are sent',
  })
  problem!: string | null;
}
