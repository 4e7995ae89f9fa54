import { Controller, Get, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { tokenUser } from '#libs/sealing';
import type { Principal } from '../auth/access-tokens.ts';
import type { SignedInRequest } from '../auth/auth.guard.ts';
import { rowLimitsView } from '../auth/granted-rows.ts';
import { RequiresSignIn } from '../auth/scopes.ts';
import { type CallerKind, MeDto } from './me.dto.ts';

@ApiTags('auth')
@ApiBearerAuth()
@Controller('api/v3/me')
export class MeController {
  @Get()
  @RequiresSignIn()
  @ApiOperation({
    summary: 'Returns the caller, with its scopes and the departments and locations that it sees',
  })
  @ApiOkResponse({ type: MeDto })
  get(@Req() { access: { principal, scopes, rows } }: SignedInRequest): MeDto {
    return {
      ...callerOf(principal),
      id: principal.credentialId,
      scopes: [...scopes],
      ...rowLimitsView(rows),
    };
  }
}

const TOKEN_PREFIX = tokenUser('');

/** Names of credentials contain no colon. */
function callerOf({ name }: Principal): { kind: CallerKind; name: string } {
  if (name.startsWith(TOKEN_PREFIX)) return { kind: 'token', name: name.slice(TOKEN_PREFIX.length) };
  return { kind: name.includes(':') ? 'user' : 'credential', name };
}
