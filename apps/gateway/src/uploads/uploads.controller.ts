import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { UploadDto, UploadPageDto } from './upload.dto.ts';
import { UploadsService } from './uploads.service.ts';

@ApiTags('uploads')
@ApiBearerAuth()
@Controller('api/v3/uploads')
@RequiresScope('uploads:read')
export class UploadsController {
  constructor(private readonly uploads: UploadsService) {}

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
  get(@Param('id', ParseUUIDPipe) id: string, @Query(NoQueryPipe) _query: object): Promise<UploadDto> {
    return this.uploads.get(id);
  }
}
