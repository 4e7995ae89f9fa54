import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { FindingsQuery } from './finding.dto.ts';

const FORMATS = ['csv', 'jsonl', 'sarif'] as const;

/** The query of an export of findings: that of the list, without paging. */
export class FindingsExportQuery extends OmitType(FindingsQuery, ['limit', 'cursor'] as const) {
  @ApiProperty({
    enum: FORMATS,
    description: 'CSV (RFC 4180), JSON lines (one list item per line) or SARIF 2.1.0',
  })
  @IsIn(FORMATS)
  format!: (typeof FORMATS)[number];
}
