import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { ScoreHistoryQuery } from './score-history.dto.ts';

const FIXES_MAX = 10;

/** Whose risk is to be lowered: the organization’s without an asset and without a group. */
export class FixesQuery extends PickType(ScoreHistoryQuery, [
  'department',
  'location',
  'type',
  'attackSurface',
] as const) {
  @ApiPropertyOptional({ format: 'uuid', description: 'Of this asset alone; not together with a group' })
  @MayBeLeftOut()
  @IsUUID()
  assetId?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: FIXES_MAX, default: FIXES_MAX, description: 'Of each list' })
  @MayBeLeftOut()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(FIXES_MAX)
  limit: number = FIXES_MAX;
}

/** A fix, taken alone. */
export class FixDto {
  @ApiProperty({ enum: ['finding', 'cve'] })
  kind!: string;
  @ApiProperty({ description: 'Id of the finding, or the CVE' })
  id!: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Of the finding; null for a CVE',
  })
  assetId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'null where `assetId` is' })
  assetName!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of the finding; null for a CVE' })
  name!: string | null;
  @ApiProperty({ type: 'integer', description: 'How many assets it changes' })
  assets!: number;
  @ApiProperty({ minimum: 0, maximum: 100, description: 'The score, once this alone is fixed' })
  scoreAfter!: number;
  @ApiProperty({ description: 'Points that the score falls by; 0 where it is less than a hundredth' })
  lowersBy!: number;
}

/** What lowers the score of an asset, a group or the organization most (docs/scoring.md "What if, and the best fixes"). */
export class BestFixesDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description: 'null, never 0, where nothing is scored (D22)',
  })
  score!: number | null;
  @ApiProperty({ type: [FixDto], description: 'One finding on its asset each, the best first' })
  findings!: FixDto[];
  @ApiProperty({ type: [FixDto], description: 'One CVE each, on all assets looked at, the best first' })
  cves!: FixDto[];
  @ApiProperty({ format: 'date-time', description: 'The present' })
  at!: string;
  @ApiProperty({ example: 'posture-1' })
  model!: string;
}
