import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { CalledBy, CallerScopes, type LimitedCaller, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope, type Scope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import {
  AddApiTokenDto,
  ApiTokenDto,
  ApiTokenPageDto,
  ApiTokenWithSecretDto,
  ChangeApiTokenDto,
  RotateApiTokenDto,
} from './api-token.dto.ts';
import { ApiTokensService } from './api-tokens.service.ts';

const NO_SUCH = { description: 'The API token does not exist' };

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/tokens')
@RequiresScope('credentials:write')
@AdmitsLimited('open')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @RequiresScope('credentials:read')
  @ApiOperation({ summary: 'Lists all API tokens by name, without secrets' })
  @ApiOkResponse({ type: ApiTokenPageDto })
  list(@Query() query: PageQuery, @VisibleRows() visible: RowLimits): Promise<Page<ApiTokenDto>> {
    return this.tokens.list(query, visible);
  }

  @Get(':id')
  @RequiresScope('credentials:read')
  @ApiOperation({ summary: 'Returns an API token, without its secret' })
  @ApiOkResponse({ type: ApiTokenDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', UuidPipe) id: string, @VisibleRows() visible: RowLimits): Promise<ApiTokenDto> {
    return this.tokens.get(id, visible);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Creates an API token with scopes that the caller has. The token is shown only once',
  })
  @ApiOkResponse({ type: ApiTokenWithSecretDto })
  @ApiConflictResponse({ description: 'The name is already in use, or there are 1,000 tokens' })
  add(
    @Body() given: AddApiTokenDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<ApiTokenWithSecretDto> {
    return this.tokens.add(given, own, caller);
  }

  @Patch(':id')
  @ApiOperation({
    summary:
      'Changes an API token at every gateway within a second. Its secret is unchanged, and so are omitted fields',
    description:
      'Scopes, departments and locations must be within those of the caller. Responses in progress end if the token loses their scope, an asset, or the address of their client.',
  })
  @ApiOkResponse({ type: ApiTokenDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({
    description:
      'The name is already in use, or another user has changed the token since `version` or at the same time',
  })
  change(
    @Param('id', UuidPipe) id: string,
    @Body() changes: ChangeApiTokenDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<ApiTokenDto> {
    return this.tokens.change(id, changes, own, caller);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiBody({ type: RotateApiTokenDto, required: false })
  @ApiOperation({
    summary: 'Replaces the secret. The previous one stays valid for the overlap, the one before it ends',
  })
  @ApiOkResponse({ type: ApiTokenWithSecretDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'Another user has just changed the token' })
  rotate(
    @Param('id', UuidPipe) id: string,
    @Body() given: RotateApiTokenDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<ApiTokenWithSecretDto> {
    return this.tokens.rotate(id, given, own, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Revokes an API token within a second, also for responses in progress' })
  @ApiOkResponse({ type: ApiTokenDto })
  @ApiNotFoundResponse(NO_SUCH)
  revoke(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<ApiTokenDto> {
    return this.tokens.revoke(id, caller);
  }
}
