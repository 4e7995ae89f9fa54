import { Controller, Headers, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { AcceptsTokenScheme, RequiresScope } from '../auth/scopes.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { ReportFormats } from '../reports/report-formats.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { DescribeImport } from './describe-imports.ts';
import type { ImportAnswerDto } from './import.dto.ts';
import { ImportContexts } from './import-contexts.service.ts';
import { type ImportFields, receiveImport } from './import-form.ts';
import { readImportOptions } from './import-options.ts';

interface ImportHeaders {
  'idempotency-key'?: string;
  prefer?: string;
}

/** The import routes of DefectDojo's API (docs/defectdojo.md). */
@Controller('api/v2')
@RequiresScope('signals:write')
@AcceptsTokenScheme()
export class ImportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly formats: ReportFormats,
    private readonly contexts: ImportContexts,
  ) {}

  @Post('import-scan')
  @ReadBodyAs('unread')
  @DescribeImport({
    summary: 'Imports a report of a scanner, as DefectDojo does',
    closesByDefault: false,
  })
  importScan(
    @Req() request: FastifyRequest,
    @Headers() headers: ImportHeaders,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportAnswerDto> {
    return this.import(request, headers, caller, reply, false);
  }

  @Post('reimport-scan')
  @ReadBodyAs('unread')
  @DescribeImport({
    summary: 'Imports a report that replaces the assessments of its scan type, as DefectDojo does',
    closesByDefault: true,
  })
  reimportScan(
    @Req() request: FastifyRequest,
    @Headers() headers: ImportHeaders,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportAnswerDto> {
    return this.import(request, headers, caller, reply, true);
  }

  private import(
    request: FastifyRequest,
    headers: ImportHeaders,
    caller: Caller,
    reply: FastifyReply,
    closesByDefault: boolean,
  ): Promise<ImportAnswerDto> {
    let fields: ImportFields = new Map();
    const receive = async (path: string) => {
      const received = await receiveImport(request, path, caller.access.signal);
      fields = received.fields;
      return received.sha256;
    };
    return this.reports.withReport(receive, reply, async (received) => {
      const { scanType, format, service, ...options } = readImportOptions(
        fields,
        this.formats,
        closesByDefault,
      );
      const target = await this.contexts.targetOf(fields, scanType);
      const report = await this.reports.upload(
        received,
        {
          ...options,
          format: this.formats.named(format),
          asset: service === null ? target.product : `${target.product}/${service}`,
          source: target.engagement,
          allowEmpty: true,
        },
        { caller, idempotencyKey: headers['idempotency-key'], prefer: headers.prefer },
        reply,
        // Names are limited: without room for them nothing is stored.
        () => this.contexts.idsOf(target),
      );
      const ids = await this.contexts.idsOf(target);
      return {
        scan_type: scanType,
        minimum_severity: fields.get('minimum_severity') || 'Info',
        close_old_findings: options.replace.length > 0,
        product_name: target.product,
        product_type_name: target.productType,
        engagement_name: target.engagement,
        test_title: target.test,
        test: ids.test,
        test_id: ids.test,
        engagement_id: ids.engagement,
        product_id: ids.product,
        product_type_id: ids.productType,
        upload_id: report.uploadId,
        report,
      };
    });
  }
}
