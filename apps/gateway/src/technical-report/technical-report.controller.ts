import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { RowLimits } from '#libs/tables';
import { ReadBy, type Reader, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { DECISION_FILTERS } from '../findings/finding-conditions.ts';
import { PAST_REPORT_BOUND } from '../paging/sorted-past.ts';
import { QueryTermsPipe } from '../query-terms/query-terms.pipe.ts';
import { dayOf } from '../report-pages/report-page.ts';
import { ApiReport, reportBody } from '../report-pages/report-response.ts';
import { TechnicalReportDto, TechnicalReportQuery } from './technical-report.dto.ts';
import { TechnicalReports } from './technical-report.service.ts';
import { technicalReportPage } from './technical-report-page.ts';

@ApiTags('reports')
@ApiBearerAuth()
@Controller('api/v3/reports')
@RequiresScope('findings:read', 'assets:read')
export class TechnicalReportController {
  constructor(private readonly reports: TechnicalReports) {}

  @Get('technical')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary:
      'Returns the technical report: findings with evidence, fix, decision, owner and due date, and their assets',
    description:
      `Takes the filters of the list of findings, except ${DECISION_FILTERS.map((name) => `\`${name}\``).join(', ')}. With ` +
      '`Accept: text/html`, the report is a page to print, without scripts and other files. `request` returns the same report again, from the history, unless a person was erased ' +
      'or the history shortened: `posture report --check` compares both. As of an instant, and while signals are ' +
      'processed, it is read from the history and takes as long as two counts as of an instant. ' +
      `${PAST_REPORT_BOUND} of the \`type\` and \`assetId\` of the filter: more are a 400. At most two reports are ` +
      'computed at a time.',
  })
  @ApiReport(TechnicalReportDto)
  async technical(
    @Query(QueryTermsPipe) query: TechnicalReportQuery,
    @Headers('accept') accept: string | undefined,
    @VisibleRows() rows: RowLimits,
    @ReadBy() { signal }: Reader,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TechnicalReportDto | string> {
    const report = await this.reports.report(query, rows, signal);
    const name = `technical-report-${dayOf(report.at)}`;
    return reportBody(report, { accept, reply, name, page: technicalReportPage });
  }
}
