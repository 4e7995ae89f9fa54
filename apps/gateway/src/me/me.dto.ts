import { ApiProperty } from '@nestjs/swagger';
import type { Sla } from '#libs/domain';
import { RowLimitsDto } from '../auth/row-limits.dto.ts';
import { SCOPES, type Scope } from '../auth/scopes.ts';

const CALLER_KINDS = ['user', 'credential', 'token'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** What the SLA asks of acts on findings; its days are in the settings. */
export class AskedBySlaDto implements Pick<Sla, 'exceptionsNeedEnd'> {
  @ApiProperty({ description: 'Acceptances require an end' })
  exceptionsNeedEnd!: boolean;
}

/** The caller of the request, and what it may do and see. */
export class MeDto extends RowLimitsDto {
  @ApiProperty({
    enum: CALLER_KINDS,
    description:
      '`user`: a person who signed in with an identity provider; `credential`: a user name with a password; `token`: an API token',
  })
  kind!: CallerKind;
  @ApiProperty({ format: 'uuid', description: 'Id of the user, the credential or the API token' })
  id!: string;
  @ApiProperty({
    example: 'corp:alice@example.com',
    description: 'User name, which begins with the id of the identity provider, or name of the API token',
  })
  name!: string;
  @ApiProperty({ enum: SCOPES, isArray: true, description: 'What the caller may do' })
  scopes!: Scope[];
  @ApiProperty({ type: AskedBySlaDto, nullable: true, description: 'null: there is no SLA' })
  sla!: AskedBySlaDto | null;
}
