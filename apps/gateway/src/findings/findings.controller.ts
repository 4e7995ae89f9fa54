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
import { UuidPipe } from '../http/uuid.pipe.ts';
import { AsOfPageQuery, AsOfQuery } from '../paging/as-of.ts';
import { ApiExport, EXPORT_DESCRIPTION } from '../paging/export-response.ts';
import type { Page } from '../paging/page.ts';
import { ApiPastRead } from '../paging/past-read-response.ts';
import { QueryTermsPipe } from '../query-terms/query-terms.pipe.ts';
import {
  FindingDto,
  FindingItemDto,
  FindingPageDto,
  FindingsQuery,
  HistoryPageDto,
  type InstanceDto,
  InstancePageDto,
} from './finding.dto.ts';
import { FindingCountsQuery, FindingTotalsDto } from './finding-counts.dto.ts';
import { FindingCounts } from './finding-counts.service.ts';
import { FindingGroupsDto, FindingGroupsQuery } from './finding-groups.dto.ts';
import { FindingGroups } from './finding-groups.service.ts';
import { FindingsService } from './findings.service.ts';
import { FindingsExportQuery } from './findings-export.dto.ts';
import { FindingsExport } from './findings-export.service.ts';
import { RemediationQuery, TimesToRemediateDto } from './remediation.dto.ts';
import { Remediation } from './remediation.service.ts';

@ApiTags('findings')
@ApiBearerAuth()
@Controller('api/v3/findings')
@RequiresScope('findings:read')
@AdmitsLimited('rows')
export class FindingsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly findingCounts: FindingCounts,
    private readonly findingGroups: FindingGroups,
    private readonly findingsExport: FindingsExport,
    private readonly remediation: Remediation,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Lists findings of all assets' })
  @ApiOkResponse({ type: FindingPageDto })
  @ApiPastRead()
  list(
    @Query(QueryTermsPipe) query: FindingsQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<Page<FindingItemDto>> {
    return this.findings.list(query, rows, reader);
  }

  @Get('counts')
  @ApiOperation({
    summary: 'Counts matching findings by state, type, severity level and asset type',
    description:
      'Takes the filters of the list. Without `state`, all states except Retired are counted. Takes about 0.1 s for ' +
      '200,000 findings, in proportion to the number of matches. With `asOf`, takes about a second for 50,000, because ' +
      'it reads the history of each finding.',
  })
  @ApiOkResponse({ type: FindingTotalsDto })
  @ApiPastRead()
  counts(
    @Query(QueryTermsPipe) query: FindingCountsQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<FindingTotalsDto> {
    return this.findingCounts.count(query, rows, reader);
  }

  @Get('groups')
  @ApiOperation({
    summary: 'Groups matching findings by CVE, ATT&CK technique, asset or title',
    description:
      'Takes the filters of the list. Each group equals the list with the same filters and its `key` as `cve`, `technique`, ' +
      '`assetId` or `title`. Without `state`, findings in all states except Retired are grouped. With a filter by the CVE ' +
      'or technique, only its group is returned. Takes 0.3 to 0.8 s for a million matching findings, in proportion to their ' +
      'number; by CVE or technique with another filter, twice as long, because `withoutGroup` is counted too. With `asOf`, ' +
      'takes about a second for 50,000 findings, because it reads the history of each, and there can be at most 100,000 ' +
      'groups.',
  })
  @ApiOkResponse({ type: FindingGroupsDto })
  @ApiPastRead()
  groups(
    @Query(QueryTermsPipe) query: FindingGroupsQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<FindingGroupsDto> {
    return this.findingGroups.group(query, rows, reader);
  }

  @Get('remediation')
  @ApiOperation({
    summary: 'Returns times to remediate and the reopen rate, in total, by severity and by week',
    description:
      'Of the failing periods of matching findings that ended in the last `days`, retired findings included. A finding ' +
      'that failed several times has several periods. Periods that ended before rules 6 are not stored.',
  })
  @ApiOkResponse({ type: TimesToRemediateDto })
  @ApiPastRead()
  measureRemediation(
    @Query() query: RemediationQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<TimesToRemediateDto> {
    return this.remediation.measure(query, rows, reader);
  }

  /** The server's own answer to HEAD would read the list to its end. */
  @Head('export')
  @ApiExcludeEndpoint()
  exportHead(@Query(QueryTermsPipe) query: FindingsExportQuery, @Res() reply: FastifyReply): void {
    void reply.headers(this.findingsExport.headers(query)).send();
  }

  @Get('export')
  @ApiOperation({
    summary: 'Exports findings of all assets as a file',
    description:
      `${EXPORT_DESCRIPTION} In CSV, semicolons separate the values of a list. An apostrophe precedes a text that a ` +
      'spreadsheet would interpret as a formula, also after a semicolon. In SARIF, the asset is the logical location, `type/name` is the rule ' +
      'and the id is the fingerprint. Qualified findings have the kind `pass`. Accepted findings have a suppression.',
  })
  @ApiExport('text/csv', 'application/jsonl', 'application/sarif+json')
  async export(
    @Query(QueryTermsPipe) query: FindingsExportQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.findingsExport.open(query, rows, reader);
    void reply.headers(this.findingsExport.headers(query)).send(stream);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Returns a finding, including a retired one' })
  @ApiOkResponse({ type: FindingDto })
  @ApiNotFoundResponse({ description: 'The finding does not exist, or did not exist at `asOf`' })
  get(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<FindingDto> {
    return this.findings.get(id, query, rows);
  }

  @Get(':id/instances')
  @ApiOperation({
    summary: 'Lists all instances of a finding, by key',
    description: 'Use the same `asOf` for all pages: the cursor is a place in the list.',
  })
  @ApiOkResponse({ type: InstancePageDto })
  @ApiNotFoundResponse({ description: 'The finding does not exist, or did not exist at `asOf`' })
  instances(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfPageQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<Page<InstanceDto>> {
    return this.findings.instances(id, query, rows);
  }

  @Get(':id/history')
  @ApiOperation({ summary: 'Lists all changes of a finding with their causes, oldest first' })
  @ApiOkResponse({ type: HistoryPageDto })
  @ApiNotFoundResponse({ description: 'The finding does not exist, or did not exist at `asOf`' })
  history(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfPageQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<HistoryPageDto> {
    return this.findings.history(id, query, rows);
  }
}
