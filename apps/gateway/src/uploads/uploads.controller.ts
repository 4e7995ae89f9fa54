import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { UploadDto, UploadPageDto } from './upload.dto.ts';
import { UploadChangesPageDto, UploadChangesQuery } from './upload-changes.dto.ts';
import { UploadChangesService } from './upload-changes.service.ts';
import { UploadsService } from './uploads.service.ts';

@ApiTags('uploads')
@ApiBearerAuth()
@Controller('api/v3/uploads')
@RequiresScope('uploads:read')
export class UploadsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly uploadChanges: UploadChangesService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Lists uploads, newest first' })
  @ApiOkResponse({ type: UploadPageDto })
  list(@Query() query: PageQuery): Promise<Page<UploadDto>> {
    return this.uploads.list(query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Returns processing progress and outcome counts of an upload' })
  @ApiOkResponse({ type: UploadDto })
  @ApiNotFoundResponse({ description: 'The upload does not exist' })
  get(@Param('id', UuidPipe) id: string): Promise<UploadDto> {
    return this.uploads.get(id);
  }

  @Get(':id/changes')
  @RequiresScope('uploads:read', 'assets:read', 'findings:read')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Lists the changes of assets and findings that an upload caused, with their numbers',
    description:
      'Assets first, then findings; by partition, and in the order in which the changes were made. The histories ' +
      'contain changes of all uploads, and a request reads at most 100,000 of them: a page can have fewer items than ' +
      '`limit`, or none, although `nextCursor` is not null. While the upload is processed (`done` is false), pages that ' +
      'were already read can grow. Callers that are limited to departments or locations receive the changes of assets ' +
      'that were visible to them after the change; an unknown id has none.',
  })
  @ApiOkResponse({ type: UploadChangesPageDto })
  @ApiNotFoundResponse({ description: 'The upload does not exist' })
  changes(
    @Param('id', UuidPipe) id: string,
    @Query() query: UploadChangesQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<UploadChangesPageDto> {
    return this.uploadChanges.list(id, query, rows);
  }
}
