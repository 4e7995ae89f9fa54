import { applyDecorators, BadRequestException } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsInstant } from '../paging/instant.ts';
import { IsText } from '../paging/is-text.ts';
import { pageOf } from '../paging/page.ts';
import { POINTS_MAX, readStep } from './history-points.ts';
import type { Group } from './score-history.repository.ts';
import { type IntervalDto, interval, WithIntervalDto, WithLikelihoodDto } from './scores.dto.ts';

const IsStep = () =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      default: 'day',
      example: 'P1D',
      pattern: '^(hour|day|week|P(\\d{1,5}W|(\\d{1,5}D)?(T(\\d{1,5}H)?(\\d{1,5}M)?(\\d{1,5}S)?)?))$',
      description:
        '`hour`, `day` (24 hours), `week`, or an ISO 8601 duration in whole weeks, days, hours, minutes and seconds ' +
        `(\`PT15M\`, \`P1DT12H\`). At most ${POINTS_MAX} points fit between \`from\` and \`to\``,
    }),
    MayBeLeftOut(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (readStep(value) ?? value) : [value],
    ),
    IsInt({
      message:
        'step must be hour, day, week or an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT15M',
    }),
  );

const GROUPS = ['department', 'location', 'type', 'attackSurface'] as const;

/** The subject of the history, and the returned instants. */
export class ScoreHistoryQuery {
  @IsInstant({ description: 'Time of the first point. Default: 30 days before `to`' })
  from?: number;

  @IsInstant({
    description: 'Latest time of a point. Default and maximum: now',
  })
  to?: number;

  @IsStep()
  step?: number;

  @IsText({ lengthMax: 1000, description: 'Only this department. At most one group can be selected' })
  department?: string;

  @IsText({ lengthMax: 1000, description: 'Only this location' })
  location?: string;

  @IsText({ lengthMax: 1000, description: 'Only this asset type' })
  type?: string;

  @IsText({ lengthMax: 1000, description: 'Only this attack surface' })
  attackSurface?: string;
}

/** @throws BadRequestException if more than one group is named */
export function groupOf(query: ScoreHistoryQuery): Group | null {
  const [group, ...others] = GROUPS.flatMap((kind) => {
    const name = query[kind];
    return name === undefined ? [] : [{ kind, name }];
  });
  if (others.length > 0) {
    throw new BadRequestException(
      `${others[0]!.kind} cannot be combined with ${group!.kind}: select one group`,
    );
  }
  return group ?? null;
}

const score = { type: Number, nullable: true, minimum: 0, maximum: 100 };
const likelihood = { type: Number, nullable: true, minimum: 0, maximum: 1 };

/** The score of a group or the organization at an instant. */
export class ScorePointDto extends WithLikelihoodDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({ ...score, description: 'null, never 0, if no asset had a score' })
  score!: number | null;
  @ApiProperty({
    ...likelihood,
    description: 'Probability of a breach, as for the organization or the group',
  })
  breachLikelihood!: number | null;
  @ApiPropertyOptional(interval('Number of assets that are compromised within 30 days, on average'))
  expectedCompromised?: IntervalDto | null;
  @ApiProperty({ example: 'posture-2', description: 'Model in force at this time' })
  model!: string;
  @ApiProperty({
    type: 'integer',
    description: 'Number of live assets that the scorer has processed, including assets without a score',
  })
  assets!: number;
  @ApiProperty({ type: 'integer' })
  scoredAssets!: number;
}

/** Another model came into force. */
export class ModelChangeDto {
  @ApiProperty({ format: 'date-time', description: 'Time of the change of the setting `scoringModel`' })
  at!: string;
  @ApiProperty({ example: 'posture-2', description: 'Model in force from this time on' })
  model!: string;
}

/** All points at once, the earliest first: there is no next page. */
export class ScoreHistoryDto extends pageOf(ScorePointDto) {
  @ApiProperty({
    example: 'posture-2',
    description: 'Model of the last point. Scores of two models cannot be compared',
  })
  model!: string;
  @ApiProperty({
    type: [ModelChangeDto],
    description: 'Changes of the model after the first point and until `to`, the earliest first',
  })
  modelChanges!: ModelChangeDto[];
}

/** From when to when an asset had a score. */
export class ScorePeriodDto extends WithIntervalDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null if the period has not ended',
  })
  to!: string | null;
  @ApiProperty({
    ...score,
    description: 'null, never 0, if no active finding had a valid CVE or TTP',
  })
  score!: number | null;
  @ApiProperty({ ...likelihood, description: 'null if the score is null' })
  breachLikelihood!: number | null;
  @ApiProperty({ example: 'posture-2', description: 'Model that computed the score' })
  model!: string;
  @ApiProperty({ description: 'Asset type' })
  type!: string;
  @ApiProperty()
  attackSurface!: string;
  @ApiProperty()
  department!: string;
  @ApiProperty({
    description: 'A change of type, attack surface, department or location also starts a new period',
  })
  location!: string;
}

export class ScorePeriodPageDto extends pageOf(ScorePeriodDto) {}
