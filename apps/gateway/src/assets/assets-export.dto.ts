import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { AssetsQuery } from './asset.dto.ts';

const FORMATS = ['csv', 'jsonl'] as const;

/** The query of an export of assets: that of the list, without paging. */
export class AssetsExportQuery extends OmitType(AssetsQuery, ['limit', 'cursor'] as const) {
  @ApiProperty({ enum: FORMATS, description: 'CSV (RFC 4180) or JSON lines (one list item per line)' })
  @IsIn(FORMATS)
  format!: (typeof FORMATS)[number];
}
