import { Controller, Get, Head, Param, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExcludeEndpoint,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { RowLimits } from '#libs/tables';
import { ReadBy, type Reader, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { ApiQueryOf } from '../docs/api-query-of.ts';
import { AssetFindingsQuery, FindingItemDto, FindingPageDto } from '../findings/finding.dto.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { AsOfQuery } from '../paging/as-of.ts';
import { ApiExport, EXPORT_DESCRIPTION } from '../paging/export-response.ts';
import type { Page } from '../paging/page.ts';
import { ApiPastRead } from '../paging/past-read-response.ts';
import { QueryTermsPipe } from '../query-terms/query-terms.pipe.ts';
import { AssetDetailDto, type AssetDto, AssetPageDto, AssetsQuery } from './asset.dto.ts';
import { AssetCountsQuery, AssetTotalsDto } from './asset-counts.dto.ts';
import { AssetCounts } from './asset-counts.service.ts';
import { AssetCoverageDto, AssetCoverageQuery } from './asset-coverage.dto.ts';
import { AssetCoverage } from './asset-coverage.service.ts';
import {
  type AssetCountsFilter,
  AssetCountsPipe,
  type AssetFilter,
  AssetFilterPipe,
  type AssetQuery,
  AssetsExportPipe,
} from './asset-filter.pipe.ts';
import { AssetsService } from './assets.service.ts';
import { AssetsExportQuery } from './assets-export.dto.ts';
import { AssetsExport } from './assets-export.service.ts';

@ApiTags('assets')
@ApiBearerAuth()
@Controller('api/v3/assets')
@RequiresScope('assets:read')
@AdmitsLimited('rows')
export class AssetsController {
  constructor(
    private readonly assets: AssetsService,
    private readonly assetCounts: AssetCounts,
    private readonly assetCoverage: AssetCoverage,
    private readonly assetsExport: AssetsExport,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Lists assets. Custom fields are filtered with `customField.<name>=<option>`' })
  @ApiQueryOf(AssetsQuery)
  @ApiOkResponse({ type: AssetPageDto })
  @ApiPastRead()
  list(
    @Query(AssetFilterPipe) filter: AssetFilter,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<Page<AssetDto>> {
    return this.assets.list(filter, rows, reader);
  }

  @Get('counts')
  @ApiOperation({
    summary: 'Counts matching assets by type, attack surface, department, location and criticality',
    description:
      'Takes the filters of the list, including `customField.<name>`. Reads all live assets: about 0.1 s for 100,000.',
  })
  @ApiQueryOf(AssetCountsQuery)
  @ApiOkResponse({ type: AssetTotalsDto })
  @ApiPastRead()
  counts(
    @Query(AssetCountsPipe) conditions: AssetCountsFilter,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<AssetTotalsDto> {
    return this.assetCounts.count(conditions, rows, reader);
  }

  @Get('coverage')
  @ApiOperation({
    summary: 'Counts the assets that are no longer reported, by source',
    description: 'The list has the same filter, `notSeenDays`.',
  })
  @ApiOkResponse({ type: AssetCoverageDto })
  coverage(
    @Query() { notSeenDays }: AssetCoverageQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<AssetCoverageDto> {
    return this.assetCoverage.read(notSeenDays, rows);
  }

  /** The server's own answer to HEAD would read the list to its end. */
  @Head('export')
  @ApiExcludeEndpoint()
  exportHead(
    @Query(AssetsExportPipe) query: AssetQuery<AssetsExportQuery>,
    @Res() reply: FastifyReply,
  ): void {
    void reply.headers(this.assetsExport.headers(query)).send();
  }

  @Get('export')
  @ApiOperation({
    summary: 'Exports assets as a file',
    description:
      `${EXPORT_DESCRIPTION} In CSV, semicolons separate the values of a list. An apostrophe precedes a text that a ` +
      'spreadsheet would interpret as a formula, also after a semicolon.',
  })
  @ApiQueryOf(AssetsExportQuery)
  @ApiExport('text/csv', 'application/jsonl')
  async export(
    @Query(AssetsExportPipe) query: AssetQuery<AssetsExportQuery>,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.assetsExport.open(query, rows, reader);
    void reply.headers(this.assetsExport.headers(query)).send(stream);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Returns an asset, including a deleted one, with what each source said of it',
  })
  @ApiOkResponse({ type: AssetDetailDto })
  @ApiPastRead()
  @ApiNotFoundResponse({ description: 'The asset does not exist, or did not exist at `asOf`' })
  get(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<AssetDetailDto> {
    return this.assets.get(id, query, rows, reader);
  }

  @Get(':id/findings')
  @RequiresScope('findings:read')
  @ApiOperation({ summary: 'Lists the findings of an asset' })
  @ApiOkResponse({ type: FindingPageDto })
  @ApiPastRead()
  @ApiNotFoundResponse({ description: 'The asset does not exist, or did not exist at `asOf`' })
  findings(
    @Param('id', UuidPipe) id: string,
    @Query(QueryTermsPipe) query: AssetFindingsQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<Page<FindingItemDto>> {
    return this.assets.findingsOf(id, query, rows, reader);
  }
}
