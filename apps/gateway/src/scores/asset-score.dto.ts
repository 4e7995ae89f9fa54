import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { posture2 } from '#libs/domain';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { WithLikelihoodDto } from './scores.dto.ts';

const CONTRIBUTIONS_AT_ONCE = 500;

/** The query of a score: `limit` and `cursor` select from its contributions. */
export class AssetScoreQuery extends AsOfPageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 500,
    default: CONTRIBUTIONS_AT_ONCE,
    description: 'Maximum number of contributions per page. If there are more, `nextCursor` is not null',
  })
  override limit: number = CONTRIBUTIONS_AT_ONCE;
}

/** The contribution of one finding to the score. */
export class ContributionDto {
  @ApiProperty({ format: 'uuid' })
  findingId!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description:
      'With posture-1 the probability of exploitation within 30 days; with posture-2 the best likelihood that the asset is compromised by this finding alone',
  })
  probability!: number;
  @ApiProperty({ description: 'Share of the score in points. All shares add up to the score' })
  share!: number;
  @ApiProperty({ description: 'Description of the inputs' })
  why!: string;
}

/** The score of an asset with everything that it was computed from (docs/scoring.md). */
export class AssetScoreDto extends WithLikelihoodDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description: 'null, never 0, if no active finding has a valid CVE or TTP',
  })
  score!: number | null;
  @ApiPropertyOptional({
    enum: posture2.SCORE_BANDS.map(({ band }) => band),
    nullable: true,
    description: 'Name of the range of the score. Only with posture-2; null if the score is null',
  })
  band?: posture2.ScoreBand | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'With posture-2 the best value of `likelihood`',
  })
  breachLikelihood!: number | null;
  @ApiProperty({
    type: [ContributionDto],
    description:
      'Contributions of the scored findings, by decreasing share, then by finding id: the first page, or that of `cursor`',
  })
  contributions!: ContributionDto[];
  @ApiProperty({ description: 'Number of scored findings, each with a contribution on one of the pages' })
  contributionCount!: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description: '`cursor` of the next page of contributions; null at the end',
  })
  nextCursor!: string | null;
  @ApiProperty({
    description: 'Number of scored findings with an invalid CVSS vector. The severity value is used instead',
  })
  malformedVectors!: number;
  @ApiProperty({ example: 'posture-2', description: 'Scores of two models cannot be compared' })
  model!: string;
  @ApiProperty({
    example: 'attack epss:88ab1c0d2e3f',
    description: 'Catalogues used for the score, each with the prefix of its content hash',
  })
  catalogue!: string;
  @ApiProperty({ format: 'date-time', description: 'Time of the score' })
  at!: string;
}
