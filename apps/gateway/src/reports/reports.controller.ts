import { Controller, Get, Headers, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { DescribeReportUpload } from './describe-reports.ts';
import { encodingOf, receiveReport } from './receive-report.ts';
import { type ReportAnswerDto, ReportFormatsDto, type ReportPreviewDto, ReportQuery } from './report.dto.ts';
import { ReportFormats } from './report-formats.ts';
import { ReportsService } from './reports.service.ts';

@ApiTags('signals')
@ApiBearerAuth()
@Controller('api/v3/reports')
@RequiresScope('signals:write')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly formats: ReportFormats,
  ) {}

  /** A scanner's report, as it is. */
  @Post()
  @HttpCode(200)
  @ReadBodyAs('unread')
  @DescribeReportUpload()
  upload(
    @Req() request: FastifyRequest,
    @Query() query: ReportQuery,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReportAnswerDto | ReportPreviewDto> {
    const options = {
      format: this.formats.named(query.format),
      asset: query.asset?.trim() ?? null,
      source: query.source?.trim() ?? null,
      replace: query.replace ?? [],
      allowEmpty: query.allowEmpty === 'true',
      observedAt: query.observedAt ?? null,
      minSeverity: query.minSeverity ?? 'info',
    } as const;
    const encoding = encodingOf(request.raw);
    const receive = (path: string) => receiveReport(request.raw, path, encoding);
    return this.reports.withReport<ReportAnswerDto | ReportPreviewDto>(receive, reply, (received) =>
      query.dryRun === 'true'
        ? this.reports.preview(received, options, { caller })
        : this.reports.upload(received, options, { caller, idempotencyKey, prefer }, reply),
    );
  }

  @Get('formats')
  @AdmitsLimited('open')
  @RequiresScope('uploads:read')
  @ApiOperation({ summary: 'Lists the formats of reports, with the maps of the site (POSTURE_MAPS)' })
  @ApiOkResponse({ type: ReportFormatsDto })
  list(): ReportFormatsDto {
    return {
      items: this.formats.all().map(({ name, aliases, title, unit }) => ({ name, aliases, title, unit })),
    };
  }
}
