import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { CAUSE_KINDS, SCORING_MODELS } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { IsInstant } from '../paging/instant.ts';
import { ScoreHistoryQuery } from './score-history.dto.ts';

const CAUSES_MAX = 100;

/** Between which instants a score moved. */
export class MoveQuery {
  @ApiProperty({ required: true })
  @IsInstant({ description: 'Start time, before `to` and in the past' })
  from?: number;

  @IsInstant({ description: 'End time. Default and maximum: now' })
  to?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: CAUSES_MAX,
    default: CAUSES_MAX,
    description: 'Maximum number of causes in the list. `others` summarizes the rest',
  })
  @MayBeLeftOut()
  @NumberFromText()
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
    description: 'null if no score existed. The difference then uses 0',
  })
  score!: number | null;
  @ApiProperty({ enum: SCORING_MODELS, description: 'Model in force at that time' })
  model!: string;
}

/** What moved a score, and by how much (docs/scoring.md "What moved a score"). */
export class CauseShareDto {
  @ApiProperty({
    enum: CAUSE_KINDS,
    description:
      '`asset`: the asset was created or deleted, or its rating or reach changed; `control`: a control passed, failed ' +
      'or ended, and changed the hazards of other findings; `age`: a closed detection is older; `setting`: another ' +
      'scoring model or other incident rates. `control`, `age` and `setting` are causes of posture-2',
  })
  kind!: string;
  @ApiProperty({
    description:
      'Id of the finding or asset; CVE or technique of a catalogue change; `scoringModel` or `baseRate`',
  })
  id!: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'null for a catalogue change or a setting, which can affect many assets',
  })
  assetId!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Current name of the asset; null if `assetId` is null',
  })
  assetName!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the finding; null for other causes' })
  name!: string | null;
  @ApiProperty({ example: 'Failed → AcceptedFailed', description: 'Description of the change' })
  what!: string;
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Time from which on a setting is in force. Other causes do not have this field',
  })
  at?: string;
  @ApiProperty({
    description:
      'Share of the difference in points, rounded to hundredths; negative if the cause reduced the score',
  })
  share!: number;
}

/** Causes that are not named one by one. */
export class OtherCausesDto {
  @ApiProperty({ type: 'integer' })
  causes!: number;
  @ApiProperty({ description: 'Combined share of the difference in points' })
  share!: number;
}

/** What moved a score between two instants; all shares, that of `others` included, add up to the difference. */
export class ExplanationDto {
  @ApiProperty({ type: MovedScoreDto })
  from!: MovedScoreDto;
  @ApiProperty({ type: MovedScoreDto })
  to!: MovedScoreDto;
  @ApiProperty({ description: 'Difference in points, rounded to hundredths' })
  difference!: number;
  @ApiProperty({
    type: [CauseShareDto],
    description: 'The causes with the largest shares, positive or negative',
  })
  causes!: CauseShareDto[];
  @ApiProperty({ type: OtherCausesDto })
  others!: OtherCausesDto;
  @ApiProperty({ example: 'posture-2', description: 'Model in force at `to`' })
  model!: string;
}
