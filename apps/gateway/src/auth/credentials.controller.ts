import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { CalledBy, type Caller } from './caller.ts';
import {
  AddCredentialDto,
  CredentialDto,
  CredentialPageDto,
  CredentialWithPasswordDto,
} from './credential.dto.ts';
import { CredentialsService } from './credentials.service.ts';
import { Roles } from './roles.ts';

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/credentials')
@Roles('admin')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @ApiOperation({ summary: 'All API credentials, by user name; never a password' })
  @ApiOkResponse({ type: CredentialPageDto })
  list(@Query() query: PageQuery): Promise<Page<CredentialDto>> {
    return this.credentials.list(query);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Makes an API credential; its password is shown this once (D25)' })
  @ApiOkResponse({ type: CredentialWithPasswordDto })
  @ApiConflictResponse({ description: 'the user name is taken' })
  add(
    @Body() given: AddCredentialDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<CredentialWithPasswordDto> {
    return this.credentials.add(given, caller);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Another password; the old one and its tokens end' })
  @ApiOkResponse({ type: CredentialWithPasswordDto })
  @ApiNotFoundResponse({ description: 'no such credential' })
  rotate(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<CredentialWithPasswordDto> {
    return this.credentials.rotate(id, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Deletes an API credential; its tokens end within a second' })
  @ApiOkResponse({ type: CredentialDto })
  @ApiNotFoundResponse({ description: 'no such credential' })
  @ApiConflictResponse({ description: 'it is the last admin' })
  delete(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<CredentialDto> {
    return this.credentials.delete(id, caller);
  }
}
