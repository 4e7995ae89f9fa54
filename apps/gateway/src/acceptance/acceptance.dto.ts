import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, IsString, Length, MaxLength, ValidateNested } from 'class-validator';
import { BulkFilterDto } from '../finding-acts/bulk-filter.dto.ts';
import { DryRunDto } from '../finding-acts/dry-run.dto.ts';
import { FindingVersionDto } from '../finding-acts/finding-version.dto.ts';
import { FindingItemDto } from '../findings/finding.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { Trimmed } from '../http/trimmed.ts';
import { IsInstant } from '../paging/instant.ts';

const RATIONALE_CHARACTERS_MAX = 4_000;

/** Why findings are accepted, and until when. */
export class NewAcceptanceDto {
  @ApiProperty({ maxLength: RATIONALE_CHARACTERS_MAX, example: 'Compensated by the firewall, see RISK-42' })
  @Trimmed()
  @IsString()
  @Length(1, RATIONALE_CHARACTERS_MAX)
  rationale!: string;

  @IsInstant({
    description:
      'End of the acceptance, in the future. The finding then becomes Not Assessed. Default: until it is reverted',
  })
  until?: number;
}

/** The state after a revert: `Failed` holds the finding Failed for all later signals (R-ACC-6). */
export class ReversionDto {
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

export class AcceptFindingDto extends IntersectionType(NewAcceptanceDto, FindingVersionDto) {}
export class RevertFindingDto extends IntersectionType(ReversionDto, FindingVersionDto) {}

class BulkDto extends DryRunDto {
  @ApiProperty({ type: BulkFilterDto, description: 'At least one condition' })
  @IsObject()
  @ValidateNested()
  @Type(() => BulkFilterDto)
  filter!: BulkFilterDto;
}

export class BulkAcceptDto extends IntersectionType(BulkDto, NewAcceptanceDto) {}
export class BulkRevertDto extends IntersectionType(BulkDto, ReversionDto) {}

export class BulkOutcomeDto {
  @ApiProperty()
  dryRun!: boolean;
  @ApiProperty({ description: 'Number of findings that match the filter' })
  matching!: number;
  @ApiProperty({ description: 'Number of findings changed' })
  done!: number;
  @ApiProperty({ description: 'Number of findings not changed because they changed in the meantime' })
  refused!: number;
  @ApiProperty({
    description:
      'Number of findings stored in the log whose processing is pending. GET /api/v3/audit?requestId= lists each one after processing',
  })
  pending!: number;
  @ApiProperty({ description: 'X-Request-Id of this request. Every audit entry of the request has it' })
  requestId!: string;
  @ApiProperty({
    type: [OmitType(FindingItemDto, [])],
    description: 'The first 100 findings, in their state before the change',
  })
  findings!: FindingItemDto[];
}
