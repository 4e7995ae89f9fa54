import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { CalledBy, CallerScopes, type LimitedCaller } from '../auth/caller.ts';
import { RequiresScope, type Scope } from '../auth/scopes.ts';
import {
  AddIdentityProviderDto,
  ChangeIdentityProviderDto,
  IdentityProviderDto,
  IdentityProvidersDto,
  PROVIDER_ID,
} from './identity-provider.dto.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';

const ID = { name: 'id', schema: { type: 'string' as const, pattern: PROVIDER_ID.source } };
const NO_SUCH = { description: 'The identity provider does not exist' };
const CONFIGURED = 'The identity provider belongs to `OIDC_PROVIDERS`';

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/identity-providers')
@RequiresScope('users:write')
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProvidersService) {}

  @Get()
  @RequiresScope('users:read')
  @ApiOperation({
    summary: 'Lists the identity providers with what their groups grant',
    description: 'Those of the settings of the deployment (`OIDC_PROVIDERS`) first, then the others.',
  })
  @ApiOkResponse({ type: IdentityProvidersDto })
  list(): Promise<IdentityProvidersDto> {
    return this.providers.list();
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Adds an identity provider (OpenID Connect)',
    description:
      'Its discovery document is read first. Every gateway uses it within a second. At most 20, with those of the settings.',
  })
  @ApiOkResponse({ type: IdentityProviderDto })
  @ApiBadRequestResponse({
    description: 'A field is not valid, or the issuer does not answer as that issuer',
  })
  @ApiConflictResponse({
    description: 'Id or label is already in use, there are 20, or `PUBLIC_URL` is not set',
  })
  add(
    @Body() given: AddIdentityProviderDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<IdentityProviderDto> {
    return this.providers.add(given, own, caller);
  }

  @Patch(':id')
  @ApiParam(ID)
  @ApiOperation({
    summary: 'Changes an identity provider, at every gateway within a second',
    description:
      'Its sessions end if other groups give other rights, or the client changes: then users sign in again. Id and issuer never change.',
  })
  @ApiOkResponse({ type: IdentityProviderDto })
  @ApiBadRequestResponse({ description: 'A field is not valid' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({
    description: `${CONFIGURED}, the label is already in use, or another user has changed it since \`version\` or at the same time`,
  })
  change(
    @Param('id') id: string,
    @Body() given: ChangeIdentityProviderDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<IdentityProviderDto> {
    return this.providers.change(id, given, own, caller);
  }

  @Delete(':id')
  @ApiParam(ID)
  @ApiOperation({
    summary: 'Removes an identity provider: sessions that began with it end within a second',
    description: 'Its users stay listed, and its id stays reserved for its issuer.',
  })
  @ApiOkResponse({ type: IdentityProviderDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: CONFIGURED })
  remove(@Param('id') id: string, @CalledBy() caller: LimitedCaller): Promise<IdentityProviderDto> {
    return this.providers.remove(id, caller);
  }
}
