import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { AssetFindingsQuery, FindingItemDto, FindingPageDto } from '../findings/finding.dto.ts';
import { AsOfQuery } from '../paging/as-of.ts';
import type { Page } from '../paging/page.ts';
import { AssetDto, AssetPageDto, AssetsQuery } from './asset.dto.ts';
import { type AssetFilter, AssetFilterPipe } from './asset-filter.pipe.ts';
import { AssetsService } from './assets.service.ts';

@ApiTags('assets')
@ApiBearerAuth()
@Controller('api/v3/assets')
export class AssetsController {
  constructor(private readonly assets: AssetsService) {}

  @Get()
  @ApiOperation({ summary: 'Assets; beside the filters any `customField.<name>=<option>`' })
  @ApiQuery({ type: AssetsQuery })
  @ApiOkResponse({ type: AssetPageDto })
  list(@Query(AssetFilterPipe) filter: AssetFilter): Promise<Page<AssetDto>> {
    return this.assets.list(filter);
  }

  @Get(':id')
  @ApiOperation({ summary: 'An asset, a deleted one too' })
  @ApiOkResponse({ type: AssetDto })
  @ApiNotFoundResponse({ description: 'no such asset, or not yet at `asOf`' })
  get(@Param('id', ParseUUIDPipe) id: string, @Query() query: AsOfQuery): Promise<AssetDto> {
    return this.assets.get(id, query);
  }

  @Get(':id/findings')
  @ApiOperation({ summary: 'Findings of an asset' })
  @ApiOkResponse({ type: FindingPageDto })
  @ApiNotFoundResponse({ description: 'no such asset, or not yet at `asOf`' })
  findings(
    @Param('id', ParseUUIDPipe) id: string,
    @Query() query: AssetFindingsQuery,
  ): Promise<Page<FindingItemDto>> {
    return this.assets.findingsOf(id, query);
  }
}
