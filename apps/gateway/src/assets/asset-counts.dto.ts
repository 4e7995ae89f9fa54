import { ApiProperty } from '@nestjs/swagger';
import { IsAsOf } from '../paging/as-of.ts';
import { AssetFilterQuery } from './asset.dto.ts';

/** Values of one kind that are told, those with the most assets first. */
export const VALUES_MAX = 1_000;

/** Which assets are counted, and as of when. */
export class AssetCountsQuery extends AssetFilterQuery {
  @IsAsOf()
  asOf?: number;
}

const counts = (what: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'integer' as const },
  description: `${what} → assets; of more than ${VALUES_MAX} values those with the most assets`,
});

/** How many live assets match, all together and by what they are; only what occurs is named. */
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
    description: 'Criticality → assets; `none` for those without one',
  })
  criticality!: Record<string, number>;
}
