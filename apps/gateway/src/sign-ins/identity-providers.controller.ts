import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { type IdentityProviderDto, IdentityProvidersDto } from './identity-provider.dto.ts';
import { IdentityProviders } from './identity-providers.ts';
import type { OidcClient } from './oidc-client.ts';

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/identity-providers')
@RequiresScope('users:read')
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProviders) {}

  @Get()
  @ApiOperation({
    summary: 'Lists the identity providers with what their groups grant',
    description: 'They are settings of the gateways (`OIDC_PROVIDERS`), which a restart changes.',
  })
  @ApiOkResponse({ type: IdentityProvidersDto })
  list(@Query(NoQueryPipe) _query: object): IdentityProvidersDto {
    return { items: this.providers.all.map(viewOf) };
  }
}

const viewOf = ({ provider, redirectUri, logoutUri }: OidcClient): IdentityProviderDto => ({
  id: provider.id,
  label: provider.label,
  issuer: provider.issuer,
  clientId: provider.clientId,
  redirectUri,
  logoutUri,
  groupsFrom: provider.groupsFrom,
  grants: provider.grants,
  departments: provider.departments ?? null,
  locations: provider.locations ?? null,
  checkSeconds: provider.checkSeconds,
});
