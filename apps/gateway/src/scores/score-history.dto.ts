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

/** Of what the history is, and which instants of it are answered. */
export class ScoreHistoryQuery {
  @IsInstant({ description: 'The first instant; 30 days before `to` where left out' })
  from?: number;

  @IsInstant({
    description: 'No instant lies beyond it; the present where left out, and where it is still to come',
  })
  to?: number;

  @IsStep()
  step?: number;

  @IsText({ lengthMax: 1000, description: 'Of this department alone. At most one group is taken' })
  department?: string;

  @IsText({ lengthMax: 1000, description: 'Of this location alone' })
  location?: string;

  @IsText({ lengthMax: 1000, description: 'Of this asset type alone' })
  type?: string;

  @IsText({ lengthMax: 1000, description: 'Of this attack surface alone' })
  attackSurface?: string;
}

/** @throws BadRequestException where more than one group is named */
export function groupOf(query: ScoreHistoryQuery): Group | null {
  const [group, ...others] = GROUPS.flatMap((kind) => {
    const name = query[kind];
    return name === undefined ? [] : [{ kind, name }];
  });
  if (others.length > 0) {
    throw new BadRequestException(
      `${others[0]!.kind}: not together with ${group!.kind}; one group at a time`,
    );
  }
  return group ?? null;
}

const score = { type: Number, nullable: true, minimum: 0, maximum: 100 };
const likelihood = { type: Number, nullable: true, minimum: 0, maximum: 1 };

/** What a group or the organization was at an instant. */
export class ScorePointDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({ ...score, description: 'null, never 0, where no asset had a score' })
  score!: number | null;
  @ApiProperty({ ...likelihood, description: 'As of the organization or the group' })
  breachLikelihood!: number | null;
  @ApiProperty({ type: 'integer', description: 'Live assets, those without a score too' })
  assets!: number;
  @ApiProperty({ type: 'integer' })
  scoredAssets!: number;
}

/** All points at once, the earliest first: there is no next page. */
export class ScoreHistoryDto extends pageOf(ScorePointDto) {
  @ApiProperty({ example: 'posture-1', description: 'Scores of two models cannot be compared' })
  model!: string;
}

/** From when to when an asset had a score. */
export class ScorePeriodDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null while it lasts' })
  to!: string | null;
  @ApiProperty({
    ...score,
    description: 'null, never 0, where no active finding carried a valid CVE or TTP (D22)',
  })
  score!: number | null;
  @ApiProperty({ ...likelihood, description: 'null where the score is' })
  breachLikelihood!: number | null;
  @ApiProperty({ description: 'Asset type' })
  type!: string;
  @ApiProperty()
  attackSurface!: string;
  @ApiProperty()
  department!: string;
  @ApiProperty({
    description: 'A new row also begins where type, attack surface, department or location change',
  })
  location!: string;
}

export class ScorePeriodPageDto extends pageOf(ScorePeriodDto) {}
