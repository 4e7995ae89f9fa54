import { ApiProperty } from '@nestjs/swagger';
import { IsNotSeenDays } from './not-seen.ts';

const DAYS = 30;
/** Sources in the answer, those with the most assets that were not seen first. */
export const SOURCES_MAX = 1_000;

export class AssetCoverageQuery {
  @IsNotSeenDays({
    default: DAYS,
    description: 'Number of days without a report after which an asset counts as not seen',
  })
  notSeenDays: number = DAYS;
}

export class SourceCoverageDto {
  @ApiProperty({ description: 'Name of the source tool' })
  source!: string;
  @ApiProperty({ type: 'integer', description: 'Live assets that the source has ever reported' })
  assets!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Those of them that no source has reported for `notSeenDays`',
  })
  notSeen!: number;
}

/** How many live assets are still reported. */
export class AssetCoverageDto {
  @ApiProperty({ type: 'integer' })
  notSeenDays!: number;
  @ApiProperty({ type: 'integer', description: 'Live assets' })
  assets!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Those of them that no source has reported for `notSeenDays`',
  })
  notSeen!: number;
  @ApiProperty({
    type: [SourceCoverageDto],
    description: `At most ${SOURCES_MAX}, those with the most assets that were not seen. An asset counts for each of its sources`,
  })
  sources!: SourceCoverageDto[];
}
