import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { AssetsQuery } from './asset.dto.ts';

const FORMATS = ['csv', 'jsonl'] as const;

/** What an export of assets takes: what the list takes, but for paging. */
export class AssetsExportQuery extends OmitType(AssetsQuery, ['limit', 'cursor'] as const) {
  @ApiProperty({ enum: FORMATS, description: 'CSV (RFC 4180), JSON lines (a line is an item of the list)' })
  @IsIn(FORMATS)
  format!: (typeof FORMATS)[number];
}
