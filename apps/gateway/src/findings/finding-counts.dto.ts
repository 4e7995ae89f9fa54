import { ApiProperty } from '@nestjs/swagger';
import { IsAsOf } from '../paging/as-of.ts';
import { FindingFilterQuery } from './finding.dto.ts';

/** Which findings are counted, and as of when. */
export class FindingCountsQuery extends FindingFilterQuery {
  @IsAsOf()
  asOf?: number;
}

const counts = (description: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'integer' as const },
  description,
});

/** How many findings match, all together and by what they are; only what occurs is named. */
export class FindingTotalsDto {
  @ApiProperty()
  total!: number;
  @ApiProperty({ ...counts('State → findings; expiry is as of now'), example: { Failed: 12, Qualified: 30 } })
  state!: Record<string, number>;
  @ApiProperty(counts('Finding type → findings'))
  type!: Record<string, number>;
  @ApiProperty(
    counts(
      'critical, high, medium, low and info → findings, by the CVSS ratings of `severity.value` (from 9, 7, 4, 0.1, 0), ' +
        'whatever level a source gives beside it: the same scale as `severityMin`',
    ),
  )
  severityLevel!: Record<string, number>;
  @ApiProperty(counts('Asset type → findings'))
  assetType!: Record<string, number>;
}
