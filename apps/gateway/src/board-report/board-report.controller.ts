import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ReadBy, type Reader } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { AsOfQuery } from '../paging/as-of.ts';
import { PAST_REPORT_BOUND } from '../paging/sorted-past.ts';
import { dayOf } from '../report-pages/report-page.ts';
import { ApiReport, reportBody } from '../report-pages/report-response.ts';
import { BoardReportDto } from './board-report.dto.ts';
import { BoardReports } from './board-report.service.ts';
import { boardReportPage } from './board-report-page.ts';

@ApiTags('reports')
@ApiBearerAuth()
@Controller('api/v3/reports')
@RequiresScope('scores:read', 'findings:read')
export class BoardReportController {
  constructor(private readonly reports: BoardReports) {}

  @Get('board')
  @ApiOperation({
    summary:
      'Returns the board report: score, trend, movers, best fixes, overdue findings, ending acceptances, groups',
    description:
      'With `Accept: text/html`, the report is a page to print, without scripts and other files. `request` returns the ' +
      'same report again, from the history, unless a person was erased or the history shortened: `posture report ' +
      '--check` compares both. As of an instant, and while signals are processed, it is read from the history and takes ' +
      `as long as two to four counts as of an instant. ${PAST_REPORT_BOUND}: on larger sites it is a 400 then. At most ` +
      'two reports are computed at a time.',
  })
  @ApiReport(BoardReportDto)
  @ApiForbiddenResponse({ description: 'The caller is limited, or lacks `scores:read` or `findings:read`' })
  async board(
    @Query() query: AsOfQuery,
    @Headers('accept') accept: string | undefined,
    @ReadBy() { signal }: Reader,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BoardReportDto | string> {
    const report = await this.reports.report(query, signal);
    const name = `board-report-${dayOf(report.at)}`;
    return reportBody(report, { accept, reply, name, page: boardReportPage });
  }
}
