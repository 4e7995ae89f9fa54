import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CalledBy, type ScopedCaller } from '../auth/caller.ts';
import { RequiresSignIn } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import type { Page } from '../paging/page.ts';
import { SavedViewsService } from './saved-views.service.ts';
import { AddViewDto, ChangeViewDto, ViewDto, ViewPageDto, ViewsQuery } from './view.dto.ts';

const NO_SUCH = { description: 'The view does not exist, or belongs to another person and is not shared' };

@ApiTags('views')
@ApiBearerAuth()
@Controller('api/v3/views')
@RequiresSignIn()
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  @ApiOperation({
    summary: 'Lists saved views, newest first: those of the caller, and shared ones',
    description:
      'Only views of lists that the caller may read: `findings:read`, `assets:read`. A view is only a query: its list contains the rows that the caller may see.',
  })
  @ApiOkResponse({ type: ViewPageDto })
  list(@Query() query: ViewsQuery, @CalledBy() caller: ScopedCaller): Promise<Page<ViewDto>> {
    return this.views.list(query, caller);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Saves a view of a list',
    description:
      'A view belongs to the caller: credential, API token or user of an identity provider. It is removed with its owner. Sharing requires `findings:triage`.',
  })
  @ApiOkResponse({ type: ViewDto })
  @ApiForbiddenResponse({ description: 'The caller may not read the list, or not share views' })
  @ApiConflictResponse({ description: 'The name is in use, or the limit of 50 views is reached' })
  add(@Body() given: AddViewDto, @CalledBy() caller: ScopedCaller): Promise<ViewDto> {
    return this.views.add(given, caller);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Returns a saved view' })
  @ApiOkResponse({ type: ViewDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', UuidPipe) id: string, @CalledBy() caller: ScopedCaller): Promise<ViewDto> {
    return this.views.get(id, caller);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Changes a view. Only its owner changes it; `default` concerns the caller alone',
    description:
      'Omitted fields keep their values. When its owner stops sharing a view, it is no longer the default of others.',
  })
  @ApiOkResponse({ type: ViewDto })
  @ApiForbiddenResponse({ description: 'The view belongs to another person, or the caller may not share' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The name is in use, or the view has changed since `version`' })
  change(
    @Param('id', UuidPipe) id: string,
    @Body() changes: ChangeViewDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<ViewDto> {
    return this.views.change(id, changes, caller);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Removes a view: one of the caller, or with `settings:write` a shared one of another person',
  })
  @ApiOkResponse({ type: ViewDto, description: 'The removed view' })
  @ApiForbiddenResponse({ description: 'The view belongs to another person' })
  @ApiNotFoundResponse(NO_SUCH)
  remove(@Param('id', UuidPipe) id: string, @CalledBy() caller: ScopedCaller): Promise<ViewDto> {
    return this.views.remove(id, caller);
  }
}
