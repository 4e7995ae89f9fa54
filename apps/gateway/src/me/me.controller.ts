import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { settingsInForce } from '#libs/domain';
import { tokenUser } from '#libs/sealing';
import type { Principal } from '../auth/access-tokens.ts';
import type { SignedInRequest } from '../auth/auth.guard.ts';
import { rowLimitsView } from '../auth/granted-rows.ts';
import { RequiresSignIn } from '../auth/scopes.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { SETTINGS } from '../tokens.ts';
import { type CallerKind, MeDto } from './me.dto.ts';

@ApiTags('auth')
@ApiBearerAuth()
@Controller('api/v3/me')
export class MeController {
  constructor(@Inject(SETTINGS) private readonly settings: SettingsSource) {}

  @Get()
  @RequiresSignIn()
  @ApiOperation({
    summary:
      'Returns the caller, with its scopes, the departments and locations that it sees, and what the SLA asks of its acts',
  })
  @ApiOkResponse({ type: MeDto })
  get(@Req() { access: { principal, scopes, rows } }: SignedInRequest): MeDto {
    const { sla } = settingsInForce(this.settings());
    return {
      ...callerOf(principal),
      id: principal.credentialId,
      scopes: [...scopes],
      ...rowLimitsView(rows),
      sla: sla && { exceptionsNeedEnd: sla.exceptionsNeedEnd },
    };
  }
}

const TOKEN_PREFIX = tokenUser('');

/** Names of credentials contain no colon. */
function callerOf({ name }: Principal): { kind: CallerKind; name: string } {
  if (name.startsWith(TOKEN_PREFIX)) return { kind: 'token', name: name.slice(TOKEN_PREFIX.length) };
  return { kind: name.includes(':') ? 'user' : 'credential', name };
}
