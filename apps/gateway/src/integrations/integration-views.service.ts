import { Injectable } from '@nestjs/common';
import { CONNECTOR_KINDS } from '#libs/integrations';
import type { RowLimits } from '#libs/tables';
import type { AssetFilter } from '../assets/asset-filter.pipe.ts';
import { AssetsService } from '../assets/assets.service.ts';
import { FindingsService } from '../findings/findings.service.ts';
import type { PastReader } from '../paging/past-reads.ts';
import type { AssetViewDto, FindingViewDto } from './integration.dto.ts';
import type { AssetViewQuery, FindingViewQuery } from './integration-views.dto.ts';
import { IntegrationsService } from './integrations.service.ts';

/** The inventory brings metadata only (R-INV-2). */
const METADATA_ONLY =
  'this integration only updates metadata of assets that other sources bring: it has no findings and no assets of its own. Look at GET /api/v3/assets, filtered by attack surface';

/** Finding View and Asset View of an integration's card. */
@Injectable()
export class IntegrationViews {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly findings: FindingsService,
    private readonly assets: AssetsService,
  ) {}

  /** @throws NotFoundException */
  async findingsOf(
    id: string,
    query: FindingViewQuery,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<FindingViewDto> {
    const { subType, source } = await this.integrations.find(id);
    const { findingType: type } = CONNECTOR_KINDS[subType];
    if (type === null) return emptyView;
    return { ...(await this.findings.list({ ...query, source, type }, rows, reader)), note: null };
  }

  /** @throws NotFoundException */
  async assetsOf(
    id: string,
    { limit, cursor, sort, asOf }: AssetViewQuery,
    rows: RowLimits,
    reader: PastReader,
  ): Promise<AssetViewDto> {
    const { subType, source } = await this.integrations.find(id);
    if (CONNECTOR_KINDS[subType].findingType === null) return emptyView;
    const query: AssetFilter = {
      page: { limit, ...(cursor !== undefined && { cursor }), ...(sort !== undefined && { sort }) },
      ...(asOf !== undefined && { asOf }),
      filter: { source },
      customFields: {},
    };
    return { ...(await this.assets.list(query, rows, reader)), note: null };
  }
}

const emptyView = { items: [], nextCursor: null, note: METADATA_ONLY };
