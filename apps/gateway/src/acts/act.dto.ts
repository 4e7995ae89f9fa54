import { ApiProperty } from '@nestjs/swagger';
import { IsInstant } from '../paging/instant.ts';
import { IsText } from '../paging/is-text.ts';
import { PageQuery, pageOf } from '../paging/page.ts';

/** One act of a user (api.md: audit). */
export class ActDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User name of the credential' })
  user!: string | null;
  @ApiProperty({
    example: 'finding.accepted',
    description:
      '`settings.changed`, `department.added|changed|removed`, `location.…`, `customField.…`, `osMapping.replaced`, `credential.created|rotated|deleted`, `webhook.added|changed|removed|rotated|paused|resumed|replayed`, `catalogue.imported`, `integration.added|changed|removed|syncRequested`, `finding.accepted|reverted`, `asset.deleted`',
  })
  action!: string;
  @ApiProperty({ description: 'Id of what was acted on; `settings` for the settings and the mapping' })
  target!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: '`before` and `after`, or what was asked for',
    example: { rationale: 'compensated by the firewall', until: '2026-05-28T20:26:40.000Z' },
  })
  detail!: unknown;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it did nothing: it was decided on what had changed meanwhile',
  })
  refused!: string | null;
  @ApiProperty({ type: String, nullable: true })
  requestId!: string | null;
  @ApiProperty({
    description: 'Where the log has it',
    example: { topic: 'posture.intake', partition: 3, offset: 42 },
  })
  position!: { topic: string; partition: number; offset: number };
}

export class ActPageDto extends pageOf(ActDto) {}

const TEXT_MAX = 200;

/** Of the audit trail. */
export class ActsQuery extends PageQuery {
  @IsText({ lengthMax: TEXT_MAX })
  user?: string;

  @IsText({ lengthMax: TEXT_MAX, example: 'finding.accepted' })
  action?: string;

  @IsText({ lengthMax: TEXT_MAX, description: 'Id of what was acted on' })
  target?: string;

  @IsText({ lengthMax: TEXT_MAX, description: 'X-Request-Id of the request that acted' })
  requestId?: string;

  @IsInstant({ description: 'Acts from then on' })
  from?: number;

  @IsInstant({ description: 'Acts before then' })
  to?: number;
}
