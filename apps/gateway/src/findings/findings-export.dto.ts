import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { FindingsQuery } from './finding.dto.ts';

const FORMATS = ['csv', 'jsonl', 'sarif'] as const;

/** What an export of findings takes: what the list takes, but for paging. */
export class FindingsExportQuery extends OmitType(FindingsQuery, ['limit', 'cursor'] as const) {
  @ApiProperty({
    enum: FORMATS,
    description: 'CSV (RFC 4180), JSON lines (a line is an item of the list), SARIF 2.1.0',
  })
  @IsIn(FORMATS)
  format!: (typeof FORMATS)[number];
}
