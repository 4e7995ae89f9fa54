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
import type { AssetDto } from './asset.dto.ts';
import type { AssetFilter, AssetQuery } from './asset-filter.pipe.ts';
import { AssetsService } from './assets.service.ts';
import { assetsCsv } from './assets-csv.ts';
import type { AssetsExportQuery } from './assets-export.dto.ts';

const FORMATS: Record<AssetsExportQuery['format'], ExportFormat<AssetDto>> = {
  csv: assetsCsv,
  jsonl: jsonLines,
};

/** Writes lists of assets as files. */
@Injectable()
export class AssetsExport {
  constructor(
    private readonly assets: AssetsService,
    private readonly slots: ExportSlots,
    private readonly opener: TextOpener,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Values of the response's headers. */
  headers({ query: { format } }: AssetQuery<AssetsExportQuery>): Record<string, string> {
    return exportHeaders('assets', FORMATS[format], this.clock());
  }

  /**
   * The file; destroy it to free its resources.
   * @throws RetryLaterException (429) if too many exports are in progress, BadRequestException with both `sort` and
   *   `asOf`, and errors of the list
   */
  open(
    { query: { format, sort, asOf, ...filter }, customFields, sealed }: AssetQuery<AssetsExportQuery>,
    rows: RowLimits,
    reader: Reader,
  ): Promise<Readable> {
    refusePastSortedExport({ ...(sort !== undefined && { sort }), ...(asOf !== undefined && { asOf }) });
    const asked = { filter, customFields, ...(sealed && { sealed }), ...(asOf !== undefined && { asOf }) };
    const page = (cursor: string | undefined): AssetFilter['page'] => ({
      limit: EXPORT_PAGE,
      ...(sort !== undefined && { sort }),
      ...(cursor !== undefined && { cursor }),
    });
    const { signal } = reader;
    return this.slots.start(reader, () =>
      exportStream(
        async (cursor) =>
          this.opener.value(
            await this.assets.list({ ...asked, page: page(cursor) }, rows, { credentialId: null, signal }),
          ),
        FORMATS[format],
      ),
    );
  }
}
