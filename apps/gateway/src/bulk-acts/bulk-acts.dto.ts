import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsObject,
  IsUUID,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { NewAcceptanceDto, ReversionDto } from '../acceptance/acceptance.dto.ts';
import { BULK_MAX, BulkFilterDto } from '../finding-acts/bulk-filter.dto.ts';
import { DryRunDto } from '../finding-acts/dry-run.dto.ts';
import { FindingsQuery } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { VERSION_MAX } from '../http/seen-version.ts';
import { AssignmentDto, CommentingDto, DueDto, TaggingDto, TicketsDto } from '../triage/triage.dto.ts';

/** Findings that one request names. */
const IDS_MAX = 500;
/** Refused findings that an outcome lists. */
export const REFUSED_LISTED_MAX = 500;
/** Changed findings that an outcome lists. */
export const EXAMPLES_MAX = 10;

/** Acts of one request, named as the routes of single findings. */
export const ACTS = ['accept', 'revert', 'assign', 'tags', 'due', 'tickets', 'comments'] as const;

/** Why a finding is not changed. */
const REFUSAL_REASONS = [
  'unknown',
  'retired',
  'stale',
  'notFailed',
  'notAccepted',
  'tooMany',
  'clockAhead',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Which findings are meant: all conditions hold of each. */
export class ActsFilterDto extends IntersectionType(
  BulkFilterDto,
  PickType(FindingsQuery, ['state'] as const),
) {}

const isVersion = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= VERSION_MAX;

const AreVersions = () =>
  ValidateBy({
    name: 'areVersions',
    validator: {
      validate: (value: unknown) => Object.values(value ?? {}).every(isVersion),
      defaultMessage: () => `$property must contain integers from 1 to ${VERSION_MAX}`,
    },
  });

const IsAct = (type: new () => object, description: string) => (target: object, property: string) => {
  ApiPropertyOptional({ type, description })(target, property);
  MayBeLeftOut()(target, property);
  IsObject()(target, property);
  ValidateNested()(target, property);
  Type(() => type)(target, property);
};

/** One act on many findings, which `ids` or `filter` selects. */
export class BulkActsDto extends DryRunDto {
  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: IDS_MAX,
    uniqueItems: true,
    description: 'Ids of the findings. Required unless `filter` is given',
  })
  @MayBeLeftOut()
  @Transform(({ value }) =>
    Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one.toLowerCase() : one)) : value,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(IDS_MAX)
  @ArrayUnique({ message: '$property must contain each id once' })
  @IsUUID(undefined, { each: true })
  ids?: string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1, maximum: VERSION_MAX },
    description:
      'Id → version that the caller read, for some or all of `ids`. A finding that has changed since is refused as `stale`',
  })
  @MayBeLeftOut()
  @IsObject()
  @AreVersions()
  versions?: Record<string, number>;

  @ApiPropertyOptional({
    type: ActsFilterDto,
    description: `At least one condition; at most ${BULK_MAX} findings match. Required unless \`ids\` is given`,
  })
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => ActsFilterDto)
  filter?: ActsFilterDto;

  @IsAct(NewAcceptanceDto, 'Accepts Failed findings. Requires the scope findings:accept')
  accept?: NewAcceptanceDto;

  @IsAct(ReversionDto, 'Ends acceptances and holds. Requires the scope findings:accept')
  revert?: ReversionDto;

  @IsAct(AssignmentDto, 'Assigns the findings')
  assign?: AssignmentDto;

  @IsAct(TaggingDto, 'Adds and removes tags')
  tags?: TaggingDto;

  @IsAct(DueDto, 'Sets or removes the due date')
  due?: DueDto;

  @IsAct(TicketsDto, 'Attaches and detaches tickets')
  tickets?: TicketsDto;

  @IsAct(CommentingDto, 'Adds a comment to each finding')
  comments?: CommentingDto;
}

/** A finding that the act changes. */
export class ChangedFindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty()
  assetName!: string;
}

/** A finding that the act does not change, and why. */
export class RefusedFindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null if `unknown`' })
  name!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'null if `unknown`' })
  assetName!: string | null;
  @ApiProperty({
    enum: REFUSAL_REASONS,
    description:
      'unknown: does not exist, or is not visible to the caller. retired: only active findings change. stale: changed ' +
      'since the version that was read. notFailed: only Failed findings can be accepted. notAccepted: neither accepted ' +
      'nor held Failed. tooMany: it would have more than 20 tags or tickets. clockAhead: the clock of the gateway is wrong',
  })
  reason!: RefusalReason;
}

/** The outcome of an act on many findings; with `dryRun`, the outcome that it would have. */
export class BulkActsOutcomeDto {
  @ApiProperty()
  dryRun!: boolean;
  @ApiProperty({ description: 'Number of findings that `ids` or `filter` selects' })
  matching!: number;
  @ApiProperty({ description: 'Number of findings changed' })
  done!: number;
  @ApiProperty({
    description: 'Number of findings that are already as the act makes them; nothing is stored',
  })
  unchanged!: number;
  @ApiProperty({
    description:
      'Number of findings stored in the log whose processing is pending. GET /api/v3/audit?requestId= lists each one after processing',
  })
  pending!: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Reason → number of findings that are refused; only reasons that occur',
    example: { stale: 2 },
  })
  refusedBy!: Partial<Record<RefusalReason, number>>;
  @ApiProperty({ type: [RefusedFindingDto], description: `The first ${REFUSED_LISTED_MAX} refused findings` })
  refused!: RefusedFindingDto[];
  @ApiProperty({ type: [ChangedFindingDto], description: `The first ${EXAMPLES_MAX} changed findings` })
  examples!: ChangedFindingDto[];
  @ApiProperty({ description: 'X-Request-Id of this request. Every audit entry of the request has it' })
  requestId!: string;
}
