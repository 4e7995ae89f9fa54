import { ApiProperty } from '@nestjs/swagger';
import { IsInstant } from '../paging/instant.ts';
import { IsText } from '../paging/is-text.ts';
import { PageQuery, pageOf } from '../paging/page.ts';

export class ActOriginDto {
  @ApiProperty({ description: 'IP address of the client' })
  address!: string;
  @ApiProperty({
    example: '9f86d081884c',
    description: 'First 12 hexadecimal digits of the SHA-256 hash of the access token or API token',
  })
  token!: string;
}

/** One act of a user. */
export class ActDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'User name of the credential, or `token:` and the name of the API token',
  })
  user!: string | null;
  @ApiProperty({
    example: 'finding.accepted',
    description:
      '`log.opened` (first settings, by the service), `settings.changed`, `department.added|changed|removed`, `location.…`, `customField.…`, `osMapping.replaced`, `ownerRules.replaced`, `credential.created|rotated|deleted|tokenCreated|tokenRotated|tokenChanged|tokenRevoked|roleCreated|roleChanged|roleDeleted|secondFactorEnabled|secondFactorRemoved|recoveryCodesReplaced|breakGlassSet|breakGlassUnset|userProvisioned|userChanged|userDisabled|userEnabled|userDeleted|identityProviderCreated|identityProviderChanged|identityProviderDeleted`, `webhook.added|changed|removed|rotated|paused|resumed|replayed|reportScheduleAdded|reportScheduleChanged|reportScheduleRemoved|reportScheduleSent|notificationSettingsChanged`, `catalogue.imported`, `clock.corrected`, `integration.added|changed|removed|syncRequested`, `plan.added|changed|removed`, `finding.accepted|reverted|assigned|tagged|dueSet|ticketsChanged|commented`, `asset.deleted`, `subject.erased`',
  })
  action!: string;
  @ApiProperty({
    description: 'Id of the changed object; `settings` for the settings, the OS mapping and the owner rules',
  })
  target!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: '`before` and `after`, or the parameters of the request',
    example: { rationale: 'compensated by the firewall', until: '2026-05-28T20:26:40.000Z' },
  })
  detail!: unknown;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Reason if the action had no effect, because its target changed in the meantime; otherwise null',
  })
  refused!: string | null;
  @ApiProperty({ type: String, nullable: true })
  requestId!: string | null;
  @ApiProperty({
    type: [ActOriginDto],
    maxItems: 10,
    description:
      'Where the request came from. Empty after `SECURITY_EVENTS_DAYS` days, for actions of the service and the command ' +
      'line, and for up to a second. Several, if the user sent the same `X-Request-Id` from several addresses',
  })
  origins!: ActOriginDto[];
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Position of the event in the log; null for limited callers',
    example: { topic: 'posture.intake', partition: 3, offset: 42 },
  })
  position!: { topic: string; partition: number; offset: number } | null;
}

export class ActPageDto extends pageOf(ActDto) {}

const TEXT_MAX = 200;

/** Of the audit trail. */
export class AuditQuery extends PageQuery {
  @IsText({ lengthMax: TEXT_MAX })
  user?: string;

  @IsText({ lengthMax: TEXT_MAX, example: 'finding.accepted' })
  action?: string;

  @IsText({ lengthMax: TEXT_MAX, description: 'Id of the changed object' })
  target?: string;

  @IsText({ lengthMax: TEXT_MAX, description: 'X-Request-Id of the request that made the change' })
  requestId?: string;

  @IsInstant({ description: 'Actions at or after this time' })
  from?: number;

  @IsInstant({ description: 'Actions before this time' })
  to?: number;
}
