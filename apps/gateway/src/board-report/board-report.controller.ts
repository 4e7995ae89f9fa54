import { Controller, ForbiddenException, Get, Headers, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CallerScopes } from '../auth/caller.ts';
import { RequiresScope, type Scope } from '../auth/scopes.ts';
import { AsOfQuery } from '../paging/as-of.ts';
import { BoardReportDto } from './board-report.dto.ts';
import { BoardReports } from './board-report.service.ts';
import { boardReportPage } from './board-report-page.ts';

const HTML = 'text/html';
/** The page has no script and loads nothing. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

@ApiTags('reports')
@ApiBearerAuth()
@Controller('api/v3/reports')
@RequiresScope('scores:read')
export class BoardReportController {
  constructor(private readonly reports: BoardReports) {}

  @Get('board')
  @ApiOperation({
    summary:
      'Returns the board report: score, trend, movers, best fixes, overdue findings, ending acceptances, groups',
    description:
      'With `Accept: text/html`, the report is a page to print, without scripts and other files. With `asOf`, it is ' +
      'computed from the history, and each request has the same result unless an asset was renamed, a person erased or ' +
      'the history shortened; it takes as long as two to four counts as of an instant. ' +
      'Requires `findings:read` too. At most two reports are computed at a time.',
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(BoardReportDto) } },
      [HTML]: { schema: { type: 'string' } },
    },
  })
  @ApiExtraModels(BoardReportDto)
  @ApiForbiddenResponse({ description: 'The caller is limited, or lacks `scores:read` or `findings:read`' })
  async board(
    @Query() query: AsOfQuery,
    @Headers('accept') accept: string | undefined,
    @CallerScopes() scopes: ReadonlySet<Scope>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BoardReportDto | string> {
    if (!scopes.has('findings:read')) {
      throw new ForbiddenException('the board report requires the scope findings:read');
    }
    const report = await this.reports.report(query);
    void reply.header('vary', 'accept');
    if (!accepts(accept, HTML)) return report;
    const name = `board-report-${report.at.slice(0, 10)}.html`;
    void reply
      .type(`${HTML}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('content-security-policy', CONTENT_SECURITY_POLICY);
    return boardReportPage(report);
  }
}

/** Whether the header names the type; a browser that asks for anything gets JSON. */
const accepts = (accept: string | undefined, type: string): boolean =>
  (accept ?? '').split(',').some((one) => one.split(';')[0]!.trim().toLowerCase() === type);
