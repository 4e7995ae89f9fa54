import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { AssetFilterQuery } from '../assets/asset.dto.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { IsText } from '../paging/is-text.ts';
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

/** Of what is not known exactly. */
export class IntervalDto {
  @ApiProperty({ minimum: 0 })
  low!: number;
  @ApiProperty({ minimum: 0 })
  best!: number;
  @ApiProperty({ minimum: 0 })
  high!: number;
}

export const interval = (description: string) => ({
  type: IntervalDto,
  nullable: true,
  description: `${description}. Only with posture-2; null if the score is null`,
});

/** A likelihood and its two parts. */
export class LikelihoodDto extends IntervalDto {
  @ApiProperty({ type: IntervalDto, description: 'By weaknesses only' })
  forecast!: IntervalDto;
  @ApiProperty({ type: IntervalDto, description: 'By detections only' })
  evidence!: IntervalDto;
}

const WITHIN_30_DAYS = 'Likelihood of a compromise within 30 days, with nine decimals';

/** That of a score with posture-2; with posture-1 there is none. */
export class WithLikelihoodDto {
  @ApiPropertyOptional({ ...interval(WITHIN_30_DAYS), type: LikelihoodDto })
  likelihood?: LikelihoodDto | null;
}

/** Of a stored score, whose parts are not stored. */
export class WithIntervalDto {
  @ApiPropertyOptional(interval(WITHIN_30_DAYS))
  likelihood?: IntervalDto | null;
}

/** The time of a score, and the versions that it was computed with. */
class ScoredAtDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the score: the requested time or, for the current score, the time of the last change of a score, of the ' +
      'hazards of an asset with posture-2, or of a group; null if no score has been computed yet',
  })
  at!: string | null;
  @ApiProperty({ example: 'posture-2', description: 'Scores of two models cannot be compared' })
  model!: string;
  @ApiProperty({
    example: 'attack epss:88ab1c0d2e3f',
    description:
      'Catalogues in effect at that time (for the current score: now), each with the prefix of its content hash',
  })
  catalogue!: string;
}

/** The score of many assets together (docs/scoring.md, 7). */
class RiskDto extends IntersectionType(ScoredAtDto, WithLikelihoodDto) {
  @ApiProperty(score('0 to 100 with two decimals; null, never 0, if no asset has a score'))
  score!: number | null;
  @ApiProperty(
    likelihood(
      'With posture-1 the probability that a randomly selected scored asset is breached within 30 days, with six ' +
        'decimals; with posture-2 the best likelihood that at least one asset is compromised. null if the score is null',
    ),
  )
  breachLikelihood!: number | null;
  @ApiPropertyOptional(interval('Number of assets that are compromised within 30 days, on average'))
  expectedCompromised?: IntervalDto | null;
  @ApiProperty({
    type: 'integer',
    description: 'Number of live assets that the scorer has processed, including assets without a score',
  })
  assets!: number;
  @ApiProperty({ type: 'integer', description: 'The same as `assets`' })
  liveAssets!: number;
  @ApiProperty({ type: 'integer' })
  scoredAssets!: number;
}

/** The score of the organization. */
export class OrganizationScoreDto extends RiskDto {}

/** The score of a department, a location, an asset type or an attack surface. */
export class GroupScoreDto extends RiskDto {
  @ApiProperty()
  name!: string;
}

/** Which groups a list has. */
export class GroupScoresQuery extends AsOfPageQuery {
  @IsText({ lengthMax: 1000, description: 'Only the group with exactly this name' })
  name?: string;
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
export class AssetScoreItemDto extends IntersectionType(ScoredAtDto, WithIntervalDto) {
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
  @ApiProperty(score('null, never 0, if no active finding has a valid CVE or TTP'))
  score!: number | null;
  @ApiProperty(likelihood('Probability that the asset is breached within 30 days; null if the score is null'))
  breachLikelihood!: number | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the last change of its score, type, attack surface, department or location; with posture-2 also of its ' +
      'hazards, which can leave all shown digits of the score the same; null if it has not been evaluated yet',
  })
  since!: string | null;
}

export class AssetScoreItemPageDto extends pageOf(AssetScoreItemDto) {}
