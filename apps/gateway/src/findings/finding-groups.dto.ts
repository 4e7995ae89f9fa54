import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { counts, FindingCountsQuery } from './finding-counts.dto.ts';

export const GROUPINGS = ['cve', 'technique', 'asset', 'title'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const GROUPS_MAX = 500;

/** By what findings are grouped, which of them, and as of when. */
export class FindingGroupsQuery extends FindingCountsQuery {
  @ApiProperty({
    enum: GROUPINGS,
    description:
      '`title`: the name of the finding, in any case. A finding with several CVEs or techniques is in the group of each; a ' +
      'finding without is in none',
  })
  @IsIn(GROUPINGS, { message: `by must be one of ${GROUPINGS.join(', ')}` })
  by!: Grouping;

  @ApiPropertyOptional({
    minimum: 1,
    maximum: GROUPS_MAX,
    default: 50,
    description: 'Maximum number of groups. Filter to see the others',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(GROUPS_MAX)
  limit: number = 50;
}

/** Findings with the same CVE, technique, asset or title. Only values that occur are listed. */
export class FindingGroupDto {
  @ApiProperty({
    example: 'CVE-2021-44228',
    description:
      'Value of the filter `cve`, `technique`, `assetId` or `title` that, with the other filters, lists the findings of the ' +
      'group',
  })
  key!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Name of the asset; of the technique, null if ATT&CK does not contain it; title as one of the findings has it; null ' +
      'for a CVE',
  })
  name!: string | null;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of findings' })
  findings!: number;
  @ApiProperty({ minimum: 0, maximum: 10, description: 'Greatest `severity.value` of the findings' })
  severityMax!: number;
  @ApiProperty(counts('State → number of findings; expiry is evaluated at the current time'))
  state!: Record<string, number>;
  @ApiProperty(counts('critical, high, medium, low and info → number of findings, as in the counts'))
  severityLevel!: Record<string, number>;
}

export class FindingGroupsDto {
  @ApiProperty({ enum: GROUPINGS })
  by!: Grouping;
  @ApiProperty({
    type: [FindingGroupDto],
    description:
      'Groups with most findings first; of these, those with the greatest `severityMax`, then by `key`',
  })
  groups!: FindingGroupDto[];
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of all groups' })
  totalGroups!: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of matching findings without a CVE or technique; 0 by asset or title',
  })
  withoutGroup!: number;
}
