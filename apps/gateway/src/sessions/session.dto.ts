import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { RowLimitsDto } from '../auth/row-limits.dto.ts';
import { SCOPES, type Scope } from '../auth/scopes.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { PageQuery, pageOf } from '../paging/page.ts';

/** A session of a person. */
export class SessionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({
    example: 'corp:alice@example.com',
    description: 'User name. Of a user of an identity provider it begins with the id of the provider',
  })
  user!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the identity provider; null: user name and password',
  })
  provider!: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({
    format: 'date-time',
    description:
      'When its user was last active: the sign-in or the last extension. Close to `endsAt` it is the earliest possible time',
  })
  lastActiveAt!: string;
  @ApiProperty({ format: 'date-time', description: 'When the session ends unless it is extended' })
  expiresAt!: string;
  @ApiProperty({ format: 'date-time', description: 'When the session ends in any case' })
  endsAt!: string;
  @ApiProperty({ description: 'IP address of the sign-in' })
  address!: string;
  @ApiProperty({ description: 'User-Agent of the sign-in, shortened' })
  userAgent!: string;
  @ApiProperty({ description: 'Whether it is the session of this request' })
  isOwn!: boolean;
}

/** The session of the request. */
export class OwnSessionDto extends IntersectionType(SessionDto, RowLimitsDto) {
  @ApiProperty({ enum: SCOPES, isArray: true, description: 'What the user may do' })
  scopes!: Scope[];
  @ApiProperty({
    type: 'integer',
    description: 'Seconds until `expiresAt`, whatever the clock of the client',
  })
  expiresIn!: number;
}

class SessionTokenDto {
  @ApiProperty({ description: 'Send it as `Authorization: Bearer <token>`. Returned only in this response' })
  token!: string;
}

export class NewSessionDto extends IntersectionType(OwnSessionDto, SessionTokenDto) {}

export class SessionPageDto extends pageOf(SessionDto) {}

export class SessionsQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: ['own', 'all'],
    default: 'own',
    description:
      '`own`: sessions of the caller; `all`: of all people, which requires the scope credentials:read. A caller with limits sees sessions of users within them',
  })
  @MayBeLeftOut()
  @IsIn(['own', 'all'])
  of: 'own' | 'all' = 'own';
}

export class EndedSessionsDto {
  @ApiProperty({ type: 'integer', description: 'Number of sessions that were ended' })
  ended!: number;
}
