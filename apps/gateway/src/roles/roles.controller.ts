import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { CalledBy, type Caller, CallerScopes } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope, type Scope } from '../auth/scopes.ts';
import { AddRoleDto, ChangeRoleDto, ROLE_NAME, RoleDto, RolesDto } from './role.dto.ts';
import { RoleNamePipe } from './role-name.pipe.ts';
import { RolesService } from './roles.service.ts';

const NAME = { name: 'name', schema: { type: 'string' as const, pattern: ROLE_NAME.source } };
const NO_SUCH = { description: 'The role does not exist' };

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/roles')
@RequiresScope('credentials:write')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Get()
  @RequiresScope('credentials:read')
  @AdmitsLimited('open')
  @ApiOperation({ summary: 'Lists all roles with their scopes' })
  @ApiOkResponse({ type: RolesDto })
  list(): Promise<RolesDto> {
    return this.roles.list();
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Creates a role with scopes that the caller has' })
  @ApiOkResponse({ type: RoleDto })
  @ApiConflictResponse({ description: 'The name is already in use, or there are 100 roles' })
  add(
    @Body() given: AddRoleDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: Caller,
  ): Promise<RoleDto> {
    return this.roles.add(given, own, caller);
  }

  @Patch(':name')
  @ApiParam(NAME)
  @ApiOperation({
    summary: 'Replaces the scopes of a role. Effective within a second for every credential of the role',
    description: 'The caller must have all scopes that the role has and gets.',
  })
  @ApiOkResponse({ type: RoleDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The role is part of the product' })
  change(
    @Param('name', RoleNamePipe) name: string,
    @Body() { scopes }: ChangeRoleDto,
    @CallerScopes() own: ReadonlySet<Scope>,
    @CalledBy() caller: Caller,
  ): Promise<RoleDto> {
    return this.roles.change({ name, scopes }, own, caller);
  }

  @Delete(':name')
  @ApiParam(NAME)
  @ApiOperation({ summary: 'Deletes a role that no credential has' })
  @ApiOkResponse({ type: RoleDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The role is part of the product, or a credential has it' })
  delete(@Param('name', RoleNamePipe) name: string, @CalledBy() caller: Caller): Promise<RoleDto> {
    return this.roles.delete(name, caller);
  }
}
