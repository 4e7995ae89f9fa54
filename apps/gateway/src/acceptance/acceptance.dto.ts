import { ApiProperty, ApiPropertyOptional, OmitType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { FindingItemDto, FindingsQuery } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { Trimmed } from '../organization/asset-option.dto.ts';
import { IsInstant } from '../paging/instant.ts';

const RATIONALE_CHARACTERS_MAX = 4_000;
const VERSION_MAX = 2_147_483_647;
/** Findings that one request acts on. */
export const BULK_MAX = 10_000;

const VERSION = 'The version that was read: a 409 where the finding has changed since';

/** Why a finding is accepted, and until when (D12). */
export class AcceptFindingDto {
  @ApiProperty({ maxLength: RATIONALE_CHARACTERS_MAX, example: 'Compensated by the firewall, see RISK-42' })
  @Trimmed()
  @IsString()
  @Length(1, RATIONALE_CHARACTERS_MAX)
  rationale!: string;

  @IsInstant({
    description: 'To come; the finding is Not Assessed from then on. Left out: until it is reverted',
  })
  until?: number;

  @ApiPropertyOptional({ minimum: 1, description: VERSION })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(VERSION_MAX)
  version?: number;
}

/** What an Accepted Failed finding becomes (spec §States): `Failed` holds it Failed whatever signals say (D12). */
export class RevertFindingDto {
  @ApiProperty({ enum: ['NotAssessed', 'Failed'] })
  @IsIn(['NotAssessed', 'Failed'])
  to!: 'NotAssessed' | 'Failed';

  @ApiPropertyOptional({ maxLength: RATIONALE_CHARACTERS_MAX })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @MaxLength(RATIONALE_CHARACTERS_MAX)
  rationale?: string;

  @ApiPropertyOptional({ minimum: 1, description: VERSION })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(VERSION_MAX)
  version?: number;
}

/** Which findings are meant: all conditions hold of each. */
export class BulkFilterDto extends PickType(FindingsQuery, [
  'type',
  'cve',
  'technique',
  'source',
  'name',
  'q',
  'assetId',
] as const) {
  @ApiPropertyOptional({ minimum: 0, maximum: 10 })
  @MayBeLeftOut()
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;
}

class BulkDto {
  @ApiProperty({ type: BulkFilterDto, description: 'At least one condition' })
  @IsObject()
  @ValidateNested()
  @Type(() => BulkFilterDto)
  filter!: BulkFilterDto;

  @ApiPropertyOptional({
    default: false,
    description: 'true: nothing is done, the answer says what would be',
  })
  @MayBeLeftOut()
  @IsBoolean()
  dryRun?: boolean;

  @ApiPropertyOptional({
    minimum: 0,
    maximum: BULK_MAX,
    description:
      '`matching` of the dry run: required without dryRun, a 409 where other findings match by now',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(BULK_MAX)
  expected?: number;
}

export class BulkAcceptDto extends BulkDto {
  @ApiProperty({ maxLength: RATIONALE_CHARACTERS_MAX })
  @Trimmed()
  @IsString()
  @Length(1, RATIONALE_CHARACTERS_MAX)
  rationale!: string;

  @IsInstant({ description: 'As for one finding' })
  until?: number;
}

export class BulkRevertDto extends BulkDto {
  @ApiProperty({ enum: ['NotAssessed', 'Failed'] })
  @IsIn(['NotAssessed', 'Failed'])
  to!: 'NotAssessed' | 'Failed';

  @ApiPropertyOptional({ maxLength: RATIONALE_CHARACTERS_MAX })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @MaxLength(RATIONALE_CHARACTERS_MAX)
  rationale?: string;
}

export class BulkOutcomeDto {
  @ApiProperty()
  dryRun!: boolean;
  @ApiProperty({ description: 'Findings that the filter means' })
  matching!: number;
  @ApiProperty({ description: 'Done and folded' })
  done!: number;
  @ApiProperty({ description: 'Refused, since they have changed meanwhile' })
  refused!: number;
  @ApiProperty({
    description: 'In the log and not folded yet; GET /api/v3/audit?requestId= tells of each once it is',
  })
  pending!: number;
  @ApiProperty({ description: 'Of this request; every act carries it' })
  requestId!: string;
  @ApiProperty({ type: [OmitType(FindingItemDto, [])], description: 'The first 100, as they were before' })
  findings!: FindingItemDto[];
}
