import { Injectable } from '@nestjs/common';
import type { AssetConditions } from './asset-conditions.ts';
import type { AssetTotalsDto } from './asset-counts.dto.ts';
import { AssetCountsRepository, type CountedAssets } from './asset-counts.repository.ts';

@Injectable()
export class AssetCounts {
  constructor(private readonly counts: AssetCountsRepository) {}

  /** How many live assets match. */
  async count(conditions: AssetConditions): Promise<AssetTotalsDto> {
    return totalsOf(await this.counts.count(conditions));
  }
}

function totalsOf(counted: CountedAssets[]): AssetTotalsDto {
  const of = (kind: CountedAssets['kind']) =>
    Object.fromEntries(counted.filter((one) => one.kind === kind).map(({ value, count }) => [value, count]));
  return {
    total: counted.find(({ kind }) => kind === 'total')?.count ?? 0,
    type: of('type'),
    attackSurface: of('attackSurface'),
    department: of('department'),
    location: of('location'),
    criticality: of('criticality'),
  };
}
