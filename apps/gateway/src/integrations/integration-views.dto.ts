import { OmitType, PickType } from '@nestjs/swagger';
import { AssetsQuery } from '../assets/asset.dto.ts';
import { FindingsQuery } from '../findings/finding.dto.ts';

/** What the Finding View takes. */
export class FindingViewQuery extends OmitType(FindingsQuery, ['source', 'type'] as const) {}

/** What the Asset View takes. */
export class AssetViewQuery extends PickType(AssetsQuery, ['limit', 'cursor', 'sort', 'asOf'] as const) {}
