import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { CalledBy, type LimitedCaller, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { ChangeUserDto, UserDto, UserPageDto } from './user.dto.ts';
import { UsersService } from './users.service.ts';

const NO_SUCH = { description: 'The user does not exist' };
const OWN = { description: 'It is the user of the request' };

@ApiTags('credentials')
@ApiBearerAuth()
@Controller('api/v3/users')
@RequiresScope('users:write')
@AdmitsLimited('open')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequiresScope('users:read')
  @ApiOperation({ summary: 'Lists the users of identity providers by name' })
  @ApiOkResponse({ type: UserPageDto })
  list(@Query() query: PageQuery, @VisibleRows() visible: RowLimits): Promise<Page<UserDto>> {
    return this.users.list(query, visible);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Disables or enables a user. Sessions of a disabled user end within a second at every gateway',
  })
  @ApiOkResponse({ type: UserDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse(OWN)
  change(
    @Param('id', UuidPipe) id: string,
    @Body() { isActive }: ChangeUserDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<UserDto> {
    return this.users.setActive(id, isActive, caller);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Deletes a user, whose sessions end within a second',
    description: 'A later sign-in creates the user again: disable a user who must not return.',
  })
  @ApiOkResponse({ type: UserDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse(OWN)
  delete(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<UserDto> {
    return this.users.delete(id, caller);
  }
}
