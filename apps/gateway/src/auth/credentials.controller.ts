import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { CalledBy, CallerScopes, type LimitedCaller, VisibleRows } from './caller.ts';
import {
  AddCredentialDto,
  CredentialDto,
  CredentialPageDto,
  CredentialWithPasswordDto,
} from './credential.dto.ts';
import { CredentialsService } from './credentials.service.ts';
import { AdmitsLimited, RequiresScope, type Scope } from './scopes.ts';

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/credentials')
@RequiresScope('credentials:write')
@AdmitsLimited('open')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @RequiresScope('credentials:read')
  @ApiOperation({ summary: 'Lists all API credentials by user name, without passwords' })
  @ApiOkResponse({ type: CredentialPageDto })
  list(@Query() query: PageQuery, @VisibleRows() visible: RowLimits): Promise<Page<CredentialDto>> {
    return this.credentials.list(query, visible);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Creates an API credential. The password is shown only once' })
  @ApiOkResponse({ type: CredentialWithPasswordDto })
  @ApiConflictResponse({ description: 'The user name is already in use' })
  add(
    @Body() given: AddCredentialDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<CredentialWithPasswordDto> {
    return this.credentials.add(given, own, caller);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Replaces the password. The previous password and its tokens become invalid' })
  @ApiOkResponse({ type: CredentialWithPasswordDto })
  @ApiNotFoundResponse({ description: 'The credential does not exist' })
  @ApiConflictResponse({ description: 'Another request has rotated the credential at the same time' })
  rotate(
    @Param('id', UuidPipe) id: string,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<CredentialWithPasswordDto> {
    return this.credentials.rotate(id, own, caller);
  }

  @Delete(':id/second-factor')
  @ApiOperation({ summary: 'Removes the second factor of another user, who has lost it' })
  @ApiOkResponse({ type: CredentialDto })
  @ApiNotFoundResponse({ description: 'The credential does not exist' })
  @ApiConflictResponse({ description: 'The credential has no second factor, or belongs to the caller' })
  removeSecondFactor(
    @Param('id', UuidPipe) id: string,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<CredentialDto> {
    return this.credentials.removeSecondFactor(id, own, caller);
  }

  @Post(':id/break-glass')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Marks the credential for emergencies, in place of another one',
    description:
      'It signs in when LOCAL_SIGN_IN is off, and needs no second factor unless it has one. Each of its sign-ins is a security event of its own.',
  })
  @ApiOkResponse({ type: CredentialDto })
  @ApiNotFoundResponse({ description: 'The credential does not exist' })
  @ApiConflictResponse({ description: 'The credential is not an admin without limits' })
  markBreakGlass(
    @Param('id', UuidPipe) id: string,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<CredentialDto> {
    return this.credentials.setBreakGlass(id, true, own, caller);
  }

  @Delete(':id/break-glass')
  @ApiOperation({ summary: 'The credential is no longer the one for emergencies' })
  @ApiOkResponse({ type: CredentialDto })
  @ApiNotFoundResponse({ description: 'The credential does not exist' })
  unmarkBreakGlass(
    @Param('id', UuidPipe) id: string,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: LimitedCaller,
  ): Promise<CredentialDto> {
    return this.credentials.setBreakGlass(id, false, own, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Deletes an API credential. Its tokens become invalid within a second' })
  @ApiOkResponse({ type: CredentialDto })
  @ApiNotFoundResponse({ description: 'The credential does not exist' })
  @ApiConflictResponse({ description: 'The credential is the last admin' })
  delete(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<CredentialDto> {
    return this.credentials.delete(id, caller);
  }
}
