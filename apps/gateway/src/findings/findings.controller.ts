import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AsOfPageQuery, AsOfQuery } from '../paging/as-of.ts';
import type { Page } from '../paging/page.ts';
import {
  FindingDto,
  FindingItemDto,
  FindingPageDto,
  FindingsQuery,
  HistoryItemDto,
  HistoryPageDto,
} from './finding.dto.ts';
import { FindingsService } from './findings.service.ts';

@ApiTags('findings')
@ApiBearerAuth()
@Controller('api/v3/findings')
export class FindingsController {
  constructor(private readonly findings: FindingsService) {}

  @Get()
  @ApiOperation({ summary: 'Findings of all assets' })
  @ApiOkResponse({ type: FindingPageDto })
  list(@Query() query: FindingsQuery): Promise<Page<FindingItemDto>> {
    return this.findings.list(query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'A finding, a retired one too' })
  @ApiOkResponse({ type: FindingDto })
  @ApiNotFoundResponse({ description: 'no such finding, or not yet at `asOf`' })
  get(@Param('id', ParseUUIDPipe) id: string, @Query() query: AsOfQuery): Promise<FindingDto> {
    return this.findings.get(id, query);
  }

  @Get(':id/history')
  @ApiOperation({ summary: 'Every change of a finding with its cause, oldest first' })
  @ApiOkResponse({ type: HistoryPageDto })
  @ApiNotFoundResponse({ description: 'no such finding, or not yet at `asOf`' })
  history(
    @Param('id', ParseUUIDPipe) id: string,
    @Query() query: AsOfPageQuery,
  ): Promise<Page<HistoryItemDto>> {
    return this.findings.history(id, query);
  }
}
