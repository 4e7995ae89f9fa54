import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import type { Page } from '../paging/page.ts';
import {
  HistoryRetentionDto,
  type HistorySummaryItemDto,
  HistorySummaryPageDto,
  HistorySummaryQuery,
  RetentionPreviewDto,
  RetentionPreviewQuery,
  RetentionRunDto,
} from './history-retention.dto.ts';
import { HistoryRetention } from './history-retention.service.ts';
import { HistoryTrimming } from './history-trimming.service.ts';

@ApiTags('settings')
@ApiBearerAuth()
@Controller('api/v3/history-retention')
@RequiresScope('settings:read')
export class HistoryRetentionController {
  constructor(
    private readonly retention: HistoryRetention,
    private readonly trimming: HistoryTrimming,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Returns how long the history of findings is kept, and since when it is complete',
    description:
      'Changes of a finding that another one superseded before `keptFrom` were counted and removed. Findings, their ' +
      'last change of before, and scores stay.',
  })
  @ApiOkResponse({ type: HistoryRetentionDto })
  status(): Promise<HistoryRetentionDto> {
    return this.retention.status();
  }

  @Get('preview')
  @ApiOperation({
    summary: 'Counts what a retention would remove now. Changes nothing',
    description: 'Looks at a million old changes at most, which takes about a second.',
  })
  @ApiOkResponse({ type: RetentionPreviewDto })
  @ApiConflictResponse({ description: 'The history of the type is kept for ever, and `days` is omitted' })
  preview(@Query() query: RetentionPreviewQuery): Promise<RetentionPreviewDto> {
    return this.retention.preview(query);
  }

  @Get('summary')
  @ApiOperation({ summary: 'Lists the number of removed changes by month, change, state and severity' })
  @ApiOkResponse({ type: HistorySummaryPageDto })
  summary(@Query() query: HistorySummaryQuery): Promise<Page<HistorySummaryItemDto>> {
    return this.retention.summary(query);
  }

  @Post('runs')
  @HttpCode(200)
  @RequiresScope('settings:write')
  @ApiOperation({
    summary: 'Removes the next part of the history that is older than the settings allow',
    description: 'The service does this once an hour by itself.',
  })
  @ApiOkResponse({ type: RetentionRunDto })
  run(): Promise<RetentionRunDto> {
    return this.trimming.round();
  }
}
