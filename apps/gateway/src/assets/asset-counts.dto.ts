import { ApiProperty } from '@nestjs/swagger';
import { IsAsOf } from '../paging/as-of.ts';
import { AssetFilterQuery } from './asset.dto.ts';

/** Returned values of one kind, those with the most assets first. */
export const VALUES_MAX = 1_000;

/** Which assets are counted, and as of when. */
export class AssetCountsQuery extends AssetFilterQuery {
  @IsAsOf()
  asOf?: number;
}

const counts = (what: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'integer' as const },
  description: `${what} → number of assets; at most ${VALUES_MAX} values, those with the most assets`,
});

/** Number of matching live assets, in total and by value; only values that occur are listed. */
export class AssetTotalsDto {
  @ApiProperty()
  total!: number;
  @ApiProperty(counts('Asset type'))
  type!: Record<string, number>;
  @ApiProperty(counts('Attack surface'))
  attackSurface!: Record<string, number>;
  @ApiProperty(counts('Department'))
  department!: Record<string, number>;
  @ApiProperty(counts('Location'))
  location!: Record<string, number>;
  @ApiProperty({
    ...counts('Criticality'),
    description: 'Criticality → number of assets; `none` counts assets without a criticality',
  })
  criticality!: Record<string, number>;
}
