import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { AssetFilterQuery } from '../assets/asset.dto.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { pageOf } from '../paging/page.ts';

const score = (description: string) => ({
  type: Number,
  nullable: true,
  minimum: 0,
  maximum: 100,
  description,
});
const likelihood = (description: string) => ({
  type: Number,
  nullable: true,
  minimum: 0,
  maximum: 1,
  description,
});

/** Of when a score is, and what it was computed with. */
export class ScoredAtDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'The instant that is scored: the one asked for; at present that at which a score or a group last changed, null ' +
      'where nothing was computed yet',
  })
  at!: string | null;
  @ApiProperty({ example: 'posture-1', description: 'Scores of two models cannot be compared' })
  model!: string;
  @ApiProperty({
    example: 'attack epss:88ab1c0d2e3f',
    description: 'The catalogues in force then, at present now, each by the beginning of its content hash',
  })
  catalogue!: string;
}

/** The score of many assets together (docs/scoring.md, 7). */
export class RiskDto extends ScoredAtDto {
  @ApiProperty(score('0 to 100 with two decimals; null, never 0, where no asset has a score (D22)'))
  score!: number | null;
  @ApiProperty(
    likelihood(
      'That a scored asset, picked at random, is breached within 30 days; six decimals; null where the score is',
    ),
  )
  breachLikelihood!: number | null;
  @ApiProperty({ type: 'integer', description: 'Live assets, those without a score too' })
  assets!: number;
  @ApiProperty({ type: 'integer' })
  scoredAssets!: number;
}

/** The score of the organization (api.md: scores). */
export class OrganizationScoreDto extends RiskDto {}

/** The score of a department, a location, an asset type or an attack surface. */
export class GroupScoreDto extends RiskDto {
  @ApiProperty()
  name!: string;
}

export class GroupScorePageDto extends pageOf(GroupScoreDto) {}

/** Which assets the list of scores has. */
export class AssetScoresQuery extends IntersectionType(
  AsOfPageQuery,
  PickType(AssetFilterQuery, [
    'type',
    'attackSurface',
    'department',
    'location',
    'criticality',
    'scored',
  ] as const),
) {}

/** An asset in the order of scores. */
export class AssetScoreItemDto extends ScoredAtDto {
  @ApiProperty({ format: 'uuid' })
  assetId!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ description: 'Asset type' })
  type!: string;
  @ApiProperty()
  attackSurface!: string;
  @ApiProperty()
  department!: string;
  @ApiProperty()
  location!: string;
  @ApiProperty({ type: String, nullable: true })
  criticality!: string | null;
  @ApiProperty(score('null, never 0, where no active finding carries a valid CVE or TTP (D22)'))
  score!: number | null;
  @ApiProperty(likelihood('That it is breached within 30 days; null where the score is'))
  breachLikelihood!: number | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Since when its score, type, attack surface, department and location are these; null where it was not looked at yet',
  })
  since!: string | null;
}

export class AssetScoreItemPageDto extends pageOf(AssetScoreItemDto) {}
