import { ApiProperty } from '@nestjs/swagger';
import { IsAsOf } from '../paging/as-of.ts';
import { FindingFilterQuery } from './finding.dto.ts';

/** Which findings are counted, and as of when. */
export class FindingCountsQuery extends FindingFilterQuery {
  @IsAsOf()
  asOf?: number;
}

export const counts = (description: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'integer' as const },
  description,
});

/** Number of matching findings, in total and by value; only values that occur are listed. */
export class FindingTotalsDto {
  @ApiProperty()
  total!: number;
  @ApiProperty({
    ...counts('State → number of findings; expiry is evaluated at the current time'),
    example: { Failed: 12, Qualified: 30 },
  })
  state!: Record<string, number>;
  @ApiProperty(counts('Finding type → number of findings'))
  type!: Record<string, number>;
  @ApiProperty(
    counts(
      'critical, high, medium, low and info → number of findings. The level follows from `severity.value` by the CVSS ' +
        'ratings (from 9, 7, 4, 0.1, 0), the scale of `severityMin`. The level that a source reports is not used',
    ),
  )
  severityLevel!: Record<string, number>;
  @ApiProperty(counts('Asset type → number of findings'))
  assetType!: Record<string, number>;
}
