import { OmitType, PickType } from '@nestjs/swagger';
import { AssetsQuery } from '../assets/asset.dto.ts';
import { FindingsQuery } from '../findings/finding.dto.ts';

/** The query of the Finding View. */
export class FindingViewQuery extends OmitType(FindingsQuery, ['source', 'type'] as const) {}

/** The query of the Asset View. */
export class AssetViewQuery extends PickType(AssetsQuery, ['limit', 'cursor', 'sort', 'asOf'] as const) {}
