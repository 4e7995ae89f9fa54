import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsInstant } from '../paging/instant.ts';
import { IsText } from '../paging/is-text.ts';
import { PageQuery, pageOf } from '../paging/page.ts';
import { EVENT_KINDS, EVENT_OUTCOMES, REFUSED_REASONS } from './security-event.ts';

const REASONS =
  '`wrongPassword`; `unknownUser`; `limited`: too many failed sign-ins; `busy`: too many sign-ins in progress; ' +
  '`secondFactorRequired`: a right password without a code; `secondFactorWrong`; `secondFactorNotEnrolled`: the time to ' +
  'set up a required second factor is over; `localSignInOff`: only identity providers sign people in; `sessionsFull`: there are 10,000 sessions; ' +
  '`revoked`: the credential of the token was deleted or rotated; `invalid`: not a token of this service; `network`: ' +
  'an API token outside its networks; `scope`: without the scope of the operation; `rows`: the operation is not ' +
  'available to callers that are limited to departments or locations. Of ' +
  'identity providers: `signInState`: the sign-in was not started in this browser tab, or too long ago; `providerChanged`: an admin ' +
  'has changed or removed the provider during the sign-in; `providerRefused`: ' +
  'the provider returned an error, for example for a used code; `providerUnavailable`; `tokenSignature`, `tokenIssuer`, ' +
  '`tokenAudience`, `tokenExpired`, `tokenNonce`, `tokenClaims`: what is wrong with the ID token or the logout token; ' +
  '`noRole`: no group of the user gives a role, or none a department or location; `userDisabled`: an admin or the provider has disabled the user; ' +
  '`usersFull`: the first sign-in of a user, and there are 10,000 users';

/** Equal events within a minute. */
export class SecurityEventDto {
  @ApiProperty({ format: 'uuid', description: 'Stays the same while `count` increases' })
  id!: string;
  @ApiProperty({ format: 'date-time', description: 'Time of the first event' })
  at!: string;
  @ApiProperty({ format: 'date-time', description: 'Time of the last event' })
  lastAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of equal events at all gateways' })
  count!: number;
  @ApiProperty({
    enum: EVENT_KINDS,
    description:
      '`token`: use of an access token; `logout`: an identity provider ends sessions, or another user ends one; `recoveryCode`, `breakGlass`: a successful ' +
      '`signIn` was one with a recovery code, or of the credential for emergencies',
  })
  kind!: string;
  @ApiProperty({ enum: EVENT_OUTCOMES })
  outcome!: string;
  @ApiProperty({
    type: String,
    enum: [...REFUSED_REASONS, null],
    nullable: true,
    description: `null for a success. ${REASONS}`,
  })
  reason!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'User name as sent, or that of the ended session; null for a token that is invalid or whose credential, session or API token is gone, and if a minute has more than 1,000 different events',
  })
  user!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '9f86d081884c',
    description: 'First 12 hexadecimal digits of the SHA-256 hash of the access token',
  })
  token!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'IP address of the client' })
  address!: string | null;
  @ApiProperty({ description: 'X-Request-Id of the first event' })
  requestId!: string;
}

export class SecurityEventPageDto extends pageOf(SecurityEventDto) {}

const TEXT_MAX = 200;

/** A value of a fixed set. */
const OneOf = (values: readonly string[]): PropertyDecorator => {
  const decorators = [ApiPropertyOptional({ enum: values }), MayBeLeftOut(), IsIn(values)];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
};

export class SecurityEventsQuery extends PageQuery {
  @OneOf(EVENT_KINDS)
  kind?: string;

  @OneOf(EVENT_OUTCOMES)
  outcome?: string;

  @OneOf(REFUSED_REASONS)
  reason?: string;

  @IsText({ lengthMax: TEXT_MAX, description: 'User name, exact match' })
  user?: string;

  @IsText({ lengthMax: TEXT_MAX, description: 'IP address, exact match' })
  address?: string;

  @IsInstant({ description: 'Events at or after this time' })
  from?: number;

  @IsInstant({ description: 'Events before this time' })
  to?: number;
}
