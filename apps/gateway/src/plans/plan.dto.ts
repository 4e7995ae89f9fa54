import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { PLAN_STATES, type PlanState } from '#libs/domain';
import { AssigneeDto } from '../findings/triage-values.dto.ts';
import { lowerCased } from '../http/lower-cased.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { IsOneOrMoreOf, type OneOrMore } from '../paging/one-or-more.ts';
import { pageOf } from '../paging/page.ts';
import { QUERY_CHARACTERS_MAX } from '../query-terms/address-query.ts';
import { IsDue } from '../triage/due-value.ts';

const NAME_CHARACTERS_MAX = 200;
const DESCRIPTION_CHARACTERS_MAX = 10_000;
/** Findings of a plan. */
export const PLANNED_MAX = 1_000;

const eachLowerCased = ({ value }: { value: unknown }) =>
  Array.isArray(value) ? value.map((one) => lowerCased({ value: one })) : value;

const AreFindings = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: PLANNED_MAX, description }),
    MayBeLeftOut(),
    Transform(eachLowerCased),
    IsArray(),
    ArrayMaxSize(PLANNED_MAX),
    IsUUID(undefined, { each: true }),
  );

/** What users write about a plan. */
class PlanFieldsDto {
  @ApiProperty({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    pattern: String.raw`^[^\u0000-\u001f\u007f]*[^\u0000-\u0020\u007f][^\u0000-\u001f\u007f]*$`,
    example: 'Log4j on all servers',
    description: 'Unique among plans, in any case',
  })
  @Trimmed()
  @IsString()
  @MaxLength(NAME_CHARACTERS_MAX)
  @Matches(/^[^\p{Cc}]+$/u, { message: 'name must not be empty and must not contain control characters' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: DESCRIPTION_CHARACTERS_MAX,
    description: 'Markdown as written. Sanitize what you render: users can write any text',
  })
  @ValidateIf((_, value) => value !== null)
  @Trimmed()
  @IsString()
  @MaxLength(DESCRIPTION_CHARACTERS_MAX)
  description!: string | null;

  @ApiProperty({ type: AssigneeDto, nullable: true, description: 'Who is responsible; null: no owner' })
  @ValidateIf((_, value) => value !== null)
  @IsObject({ message: '$property must be null or an object with type and name' })
  @ValidateNested()
  @Type(() => AssigneeDto)
  owner!: AssigneeDto | null;

  @IsDue('plan')
  due!: number | null;
}

const AddedFindings = () =>
  AreFindings(`Ids of findings to add. A plan contains from 1 to ${PLANNED_MAX} findings`);

class AddedFindingsDto {
  @AddedFindings()
  add?: string[];

  @ApiPropertyOptional({
    maxLength: QUERY_CHARACTERS_MAX,
    example: 'cve=CVE-2021-44228&department=Sales',
    description:
      'Adds the findings that match: query parameters of `GET /api/v3/findings`, encoded as in an address, without `limit`, `cursor` and `asOf`. Without `state` only Failed findings. Findings that match later are not added',
  })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(QUERY_CHARACTERS_MAX)
  query?: string;
}

/** A plan that has not begun. It needs at least one finding, by `add` or `query`. */
export class AddPlanDto extends IntersectionType(
  PickType(PlanFieldsDto, ['name']),
  PartialType(PickType(PlanFieldsDto, ['description', 'owner', 'due']), { skipNullProperties: false }),
  AddedFindingsDto,
) {}

/** Omitted fields keep their values. */
export class ChangePlanDto extends IntersectionType(
  PartialType(PlanFieldsDto, { skipNullProperties: false }),
  AddedFindingsDto,
) {
  @AreFindings('Ids of findings to remove')
  remove?: string[];

  @ApiPropertyOptional({
    enum: PLAN_STATES,
    description:
      '`active` begins the plan and stores the promised score. From planned: active, cancelled. From active: done, cancelled. From done and cancelled: active',
  })
  @MayBeLeftOut()
  @IsIn(PLAN_STATES, { message: `state must be one of ${PLAN_STATES.join(', ')}` })
  state?: PlanState;

  @IsSeenVersion('plan')
  version?: number;
}

export class RemovePlanQuery {
  @NumberFromText()
  @IsSeenVersion('plan')
  version?: number;
}

export class PlansQuery extends AsOfPageQuery {
  @IsOneOrMoreOf(PLAN_STATES, 'Default: all states.')
  state?: OneOrMore<PlanState>;
}

const points = { type: Number, nullable: true, minimum: 0, maximum: 100 };
const likelihood = { type: Number, nullable: true, minimum: 0, maximum: 1 };

/** Scores of the organization when the plan began; null if nothing was scored. */
export class PlanPromiseDto {
  @ApiProperty({ example: 'posture-2', description: 'Scoring model in force' })
  model!: string;
  @ApiProperty({ ...points, description: 'Score at the start of the plan' })
  score!: number | null;
  @ApiProperty({
    ...points,
    description: 'Score with all findings of the plan fixed and nothing else changed',
  })
  scoreAfter!: number | null;
  @ApiProperty(likelihood)
  breachLikelihood!: number | null;
  @ApiProperty(likelihood)
  breachLikelihoodAfter!: number | null;
}

/** Findings of a plan by state; for a limited caller, only visible ones. */
export class PlanCountsDto {
  @ApiProperty({ type: 'integer', description: 'Failed or Not Assessed' })
  open!: number;
  @ApiProperty({ type: 'integer', description: 'Qualified or Retired' })
  fixed!: number;
  @ApiProperty({ type: 'integer', description: 'Accepted Failed' })
  accepted!: number;
}

/** A named bundle of findings to fix. `GET /api/v3/findings?plan=ID` lists them. */
export class PlanDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Markdown as written' })
  description!: string | null;
  @ApiProperty({ type: AssigneeDto, nullable: true })
  owner!: AssigneeDto | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  due!: string | null;
  @ApiProperty({ description: 'true: planned or active after its due date' })
  overdue!: boolean;
  @ApiProperty({ enum: PLAN_STATES })
  state!: PlanState;
  @ApiProperty({ type: PlanCountsDto })
  findings!: PlanCountsDto;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Query that added findings last; null for limited callers, and if none did',
  })
  query!: string | null;
  @ApiProperty({
    type: PlanPromiseDto,
    nullable: true,
    description: 'null before the start, for limited callers, and without `scores:read`',
  })
  promise!: PlanPromiseDto | null;
  @ApiProperty({
    description:
      'false: the plan contains findings of departments or locations that the caller may not see, so that the caller cannot change it',
  })
  changeable!: boolean;
  @ApiProperty({ minimum: 1, description: 'Each change increments it' })
  version!: number;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  startedAt!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was done or cancelled',
  })
  finishedAt!: string | null;
}

/** Newest first; an organization has at most 200 plans. */
export class PlanPageDto extends pageOf(PlanDto) {}

export class BurnDownPointDto extends PlanCountsDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** States of the present findings of a plan, day by day. */
export class BurnDownDto {
  @ApiProperty({
    type: [BurnDownPointDto],
    maxItems: 369,
    description:
      'The creation of the plan, the end of each day (UTC), and now or the end of the plan. After a year, every second day, or fewer',
  })
  points!: BurnDownPointDto[];
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Begins there, not at the creation: earlier history was removed under its retention',
  })
  keptFrom!: string | null;
}

/** Score of the organization at one end of a plan. */
export class PlanScoreDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty(points)
  score!: number | null;
}

/** What a plan promised, and what it brought. */
export class PlanOutcomeDto {
  @ApiProperty({ type: PlanPromiseDto })
  promise!: PlanPromiseDto;
  @ApiProperty({
    type: PlanScoreDto,
    description:
      'At the start of the plan, by what is known of it now; the score of the promise if `byPlanFrom` is later',
  })
  from!: PlanScoreDto;
  @ApiProperty({ type: PlanScoreDto, description: 'Now, or when the plan was done or cancelled' })
  to!: PlanScoreDto;
  @ApiProperty({ description: 'Difference in points; negative if the score fell' })
  difference!: number;
  @ApiProperty({
    description:
      'Part of the difference that findings of the plan caused, in points, as `GET /api/v3/scores/organization/explain` divides it',
  })
  byPlan!: number;
  @ApiProperty({
    format: 'date-time',
    description:
      'Beginning of the time that `byPlan` explains: the start of the plan, or later if earlier history was removed, or if the model or its incident rates have changed more than 10 times since the start',
  })
  byPlanFrom!: string;
  @ApiProperty({ example: 'posture-2', description: 'Model in force at `to`' })
  model!: string;
}
