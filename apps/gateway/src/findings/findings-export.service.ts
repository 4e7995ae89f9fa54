import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { TextOpener } from '#libs/sealing';
import type { RowLimits } from '#libs/tables';
import type { Reader } from '../auth/caller.ts';
import { type ExportFormat, jsonLines } from '../paging/export-format.ts';
import { exportHeaders } from '../paging/export-headers.ts';
import { ExportSlots } from '../paging/export-slots.ts';
import { EXPORT_PAGE, exportStream } from '../paging/export-stream.ts';
import { refusePastSortedExport } from '../paging/sorted-past.ts';
import type { FindingItemDto } from './finding.dto.ts';
import { FindingsService } from './findings.service.ts';
import { findingsCsv } from './findings-csv.ts';
import type { FindingsExportQuery } from './findings-export.dto.ts';
import { findingsSarif } from './findings-sarif.ts';

const FORMATS: Record<FindingsExportQuery['format'], ExportFormat<FindingItemDto>> = {
  csv: findingsCsv,
  jsonl: jsonLines,
  sarif: findingsSarif,
};

/** Writes lists of findings as files. */
@Injectable()
export class FindingsExport {
  constructor(
    private readonly findings: FindingsService,
    private readonly slots: ExportSlots,
    private readonly opener: TextOpener,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Values of the response's headers. */
  headers({ format }: Pick<FindingsExportQuery, 'format'>): Record<string, string> {
    return exportHeaders('findings', FORMATS[format], this.clock());
  }

  /**
   * The file; destroy it to free its resources.
   * @throws RetryLaterException (429) if too many exports are in progress, BadRequestException with both `sort` and
   *   `asOf`, and errors of the list
   */
  open({ format, ...query }: FindingsExportQuery, rows: RowLimits, reader: Reader): Promise<Readable> {
    refusePastSortedExport(query);
    const { signal } = reader;
    return this.slots.start(reader, () =>
      exportStream(
        async (cursor) =>
          this.opener.value(
            await this.findings.list({ ...query, limit: EXPORT_PAGE, ...(cursor && { cursor }) }, rows, {
              credentialId: null,
              signal,
            }),
          ),
        FORMATS[format],
      ),
    );
  }
}
