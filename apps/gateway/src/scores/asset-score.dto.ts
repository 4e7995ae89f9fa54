import { ApiProperty } from '@nestjs/swagger';

/** What one finding has to do with the score. */
export class ContributionDto {
  @ApiProperty({ format: 'uuid' })
  findingId!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'That it is exploited within 30 days' })
  probability!: number;
  @ApiProperty({ description: 'Points of the score; all shares add up to it' })
  share!: number;
  @ApiProperty({ description: 'The inputs in words' })
  why!: string;
}

/** The score of an asset with all that made it (api.md: scores; docs/scoring.md). */
export class AssetScoreDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description: 'null, never 0, where no active finding carries a valid CVE or TTP (D22)',
  })
  score!: number | null;
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  breachLikelihood!: number | null;
  @ApiProperty({ type: [ContributionDto], description: 'Of every counted finding, the greatest share first' })
  contributions!: ContributionDto[];
  @ApiProperty({ description: 'Counted findings whose CVSS vector could not be read: the value stands in' })
  malformedVectors!: number;
  @ApiProperty({ example: 'posture-1', description: 'Scores of two models cannot be compared' })
  model!: string;
  @ApiProperty({
    example: 'attack epss:88ab1c0d2e3f',
    description: 'The catalogues that it was computed with, each by the beginning of its content hash',
  })
  catalogue!: string;
  @ApiProperty({ format: 'date-time', description: 'The instant that is scored' })
  at!: string;
}
