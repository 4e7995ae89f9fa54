import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsInstant } from '../paging/instant.ts';
import { ScoreHistoryQuery } from './score-history.dto.ts';

const CAUSE_KINDS = ['finding', 'acceptance', 'catalogue', 'asset'] as const;
const CAUSES_MAX = 100;

/** Between which instants a score moved. */
export class MoveQuery {
  @ApiProperty({ required: true })
  @IsInstant({ description: 'It lies before `to` and before the present' })
  from?: number;

  @IsInstant({ description: 'The present where left out, and where it is still to come' })
  to?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: CAUSES_MAX,
    default: CAUSES_MAX,
    description: 'Causes that are named; `others` has the rest',
  })
  @MayBeLeftOut()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(CAUSES_MAX)
  limit?: number;
}

/** Whose score moved: the organization’s without a group. */
export class GroupMoveQuery extends IntersectionType(
  MoveQuery,
  PickType(ScoreHistoryQuery, ['department', 'location', 'type', 'attackSurface'] as const),
) {}

/** One side of a move. */
export class MovedScoreDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description: 'null where nothing was scored, which counts as 0 in the difference',
  })
  score!: number | null;
}

/** What moved a score, and by how much (docs/scoring.md "What moved a score"). */
export class CauseShareDto {
  @ApiProperty({ enum: CAUSE_KINDS, description: '`asset`: it came, went, or was rated otherwise' })
  kind!: string;
  @ApiProperty({ description: 'Id of the finding or asset; CVE or technique of a catalogue change' })
  id!: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'null for a catalogue change, which may touch many',
  })
  assetId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'As it is called now; null where `assetId` is' })
  assetName!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of the finding; null for anything else' })
  name!: string | null;
  @ApiProperty({ example: 'Failed → AcceptedFailed', description: 'What became of it, in words' })
  what!: string;
  @ApiProperty({ description: 'Points of the difference, in whole hundredths; negative where it lowered' })
  share!: number;
}

/** Causes that are not named one by one. */
export class OtherCausesDto {
  @ApiProperty({ type: 'integer' })
  causes!: number;
  @ApiProperty({ description: 'Points of the difference, of all of them together' })
  share!: number;
}

/** What moved a score between two instants; all shares, that of `others` included, add up to the difference. */
export class ExplanationDto {
  @ApiProperty({ type: MovedScoreDto })
  from!: MovedScoreDto;
  @ApiProperty({ type: MovedScoreDto })
  to!: MovedScoreDto;
  @ApiProperty({ description: 'Points, in whole hundredths' })
  difference!: number;
  @ApiProperty({ type: [CauseShareDto], description: 'Those with the greatest shares, either way' })
  causes!: CauseShareDto[];
  @ApiProperty({ type: OtherCausesDto })
  others!: OtherCausesDto;
  @ApiProperty({ example: 'posture-1', description: 'Both sides are computed with it' })
  model!: string;
}
