import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsInt, IsUUID, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { ScoreHistoryQuery } from './score-history.dto.ts';

const FIXES_MAX = 10;

/** The subject whose risk to lower: the organization without an asset and without a group. */
export class FixesQuery extends PickType(ScoreHistoryQuery, [
  'department',
  'location',
  'type',
  'attackSurface',
] as const) {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only this asset. It cannot be combined with a group' })
  @MayBeLeftOut()
  @IsUUID()
  assetId?: string;

  @ApiPropertyOptional({
    minimum: 1,
    maximum: FIXES_MAX,
    default: FIXES_MAX,
    description: 'Maximum number of items in each list',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(FIXES_MAX)
  limit: number = FIXES_MAX;
}

/** A single fix. */
export class FixDto {
  @ApiProperty({ enum: ['finding', 'cve'] })
  kind!: string;
  @ApiProperty({ description: 'Id of the finding, or CVE id' })
  id!: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Only for a finding; null for a CVE',
  })
  assetId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'null if `assetId` is null' })
  assetName!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Only for a finding; null for a CVE' })
  name!: string | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Number of assets whose hazard the fix lowers. The score of some of them may stay the same in its two decimals',
  })
  assets!: number;
  @ApiProperty({ minimum: 0, maximum: 100, description: 'Score if only this is fixed' })
  scoreAfter!: number;
  @ApiProperty({ description: 'Reduction of the score in points; 0 if less than a hundredth' })
  lowersBy!: number;
}

/**
 * The fixes that lower the score of an asset, a group or the organization most (docs/scoring.md "What if, and the best
 * fixes").
 */
export class BestFixesDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description: 'null, never 0, if nothing is scored',
  })
  score!: number | null;
  @ApiProperty({ type: [FixDto], description: 'Fixes of single findings, by decreasing reduction' })
  findings!: FixDto[];
  @ApiProperty({
    type: [FixDto],
    description: 'Fixes of a CVE on all selected assets, by decreasing reduction',
  })
  cves!: FixDto[];
  @ApiProperty({ format: 'date-time', description: 'Time of the computation' })
  at!: string;
  @ApiProperty({ example: 'posture-2' })
  model!: string;
}
