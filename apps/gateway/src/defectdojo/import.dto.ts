import { ApiProperty } from '@nestjs/swagger';
import { ReportAnswerDto } from '../reports/report.dto.ts';

/** An import, as DefectDojo answers it; `upload_id` and `report` are of this service. */
export class ImportAnswerDto {
  @ApiProperty({ example: 'Trivy Scan' })
  scan_type!: string;
  @ApiProperty({ example: 'Info' })
  minimum_severity!: string;
  @ApiProperty({ description: 'Whether the import replaces assessments' })
  close_old_findings!: boolean;
  @ApiProperty()
  product_name!: string;
  @ApiProperty()
  product_type_name!: string;
  @ApiProperty()
  engagement_name!: string;
  @ApiProperty()
  test_title!: string;
  @ApiProperty({ type: 'integer' })
  test!: number;
  @ApiProperty({ type: 'integer', description: 'As `test`' })
  test_id!: number;
  @ApiProperty({ type: 'integer' })
  engagement_id!: number;
  @ApiProperty({ type: 'integer' })
  product_id!: number;
  @ApiProperty({ type: 'integer' })
  product_type_id!: number;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'See GET /api/v3/uploads/:id; null if the report contains no signals',
  })
  upload_id!: string | null;
  @ApiProperty({ type: ReportAnswerDto, description: 'As POST /api/v3/reports returns it' })
  report!: ReportAnswerDto;
}
