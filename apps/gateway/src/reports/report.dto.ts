import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, Matches, MaxLength } from 'class-validator';
import { FINDING_TYPES, type FindingType } from '#libs/domain';
import type { SeverityLevel } from '#libs/reports';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsInstant } from '../paging/instant.ts';
import { IsOneOrMoreOf } from '../paging/one-or-more.ts';
import { EntryMessageDto, ZipPreviewDto } from '../signals/upload.dto.ts';
import type { ListedFinding, ReportOutcome } from './report-worker.ts';

const TRUE_OR_FALSE = ['true', 'false'];
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const NAME_CHARACTERS_MAX = 1_000;

/** What a report does not state, and how it is taken. */
export class ReportQuery {
  @ApiPropertyOptional({
    description: 'Name of the format (GET /api/v3/reports/formats). Default: recognized from the report',
    example: 'trivy',
  })
  @MayBeLeftOut()
  @Matches(/^[\w.-]{1,64}$/, {
    message: 'format must be the name of a format: GET /api/v3/reports/formats lists all',
  })
  format?: string;

  @ApiPropertyOptional({
    description: 'Name of the asset of findings whose report names none, and of images and applications',
  })
  @MayBeLeftOut()
  @MaxLength(NAME_CHARACTERS_MAX, { message: 'asset must have at most 1,000 characters' })
  @Matches(/\S/, { message: 'asset must not be blank' })
  asset?: string;

  @ApiPropertyOptional({
    description: 'Name of the source of all findings. Default: the tool',
  })
  @MayBeLeftOut()
  @MaxLength(NAME_CHARACTERS_MAX, { message: 'source must have at most 1,000 characters' })
  @Matches(/\S/, { message: 'source must not be blank' })
  source?: string;

  @IsOneOrMoreOf(FINDING_TYPES, 'Replaces the whole assessment of these types for each asset of the report.')
  replace?: FindingType[];

  @ApiPropertyOptional({
    enum: TRUE_OR_FALSE,
    description: 'true: with `replace`, accepts a report of which no finding is mapped',
  })
  @MayBeLeftOut()
  @IsIn(TRUE_OR_FALSE)
  allowEmpty?: 'true' | 'false';

  @IsInstant({ description: 'Time of findings whose report states none. Default: the time of arrival' })
  observedAt?: number;

  @ApiPropertyOptional({
    enum: SEVERITIES,
    description:
      'Findings below this severity (by their score, without a score by their level) are not mapped, only listed. Default: info',
  })
  @MayBeLeftOut()
  @IsIn(SEVERITIES)
  minSeverity?: SeverityLevel;

  @ApiPropertyOptional({
    enum: TRUE_OR_FALSE,
    description: 'true: appends nothing and returns what would be created, updated, retired and ignored',
  })
  @MayBeLeftOut()
  @IsIn(TRUE_OR_FALSE)
  dryRun?: 'true' | 'false';
}

export class ListedFindingDto implements ListedFinding {
  @ApiProperty({ description: 'Place in the report', example: 'runs[0].results[4]' })
  place!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty()
  reason!: string;
}

/** Outcome of a conversion: `read` is `mapped` and `listed` together. */
class ReportOutcomeDto implements ReportOutcome {
  @ApiProperty({ description: 'Name of the format', example: 'trivy' })
  format!: string;
  @ApiProperty({ description: 'Number of findings in the report' })
  read!: number;
  @ApiProperty({ description: 'Number of findings that became signals' })
  mapped!: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1 },
    example: { 'below the minimum severity high': 12 },
    description: 'Number of findings that did not, by reason: the 100 most frequent reasons',
  })
  listed!: Record<string, number>;
  @ApiProperty({ description: 'Number of mapped findings that duplicate another one of their asset' })
  repeated!: number;
  @ApiProperty()
  assets!: number;
  @ApiProperty()
  signals!: number;
  @ApiProperty({ type: [ListedFindingDto], description: 'The first 100 of the listed findings' })
  listedFindings!: ListedFindingDto[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1 },
    description: 'What is mapped only in part, with numbers of findings: the 100 most frequent',
  })
  notes!: Record<string, number>;
}

/** The log has every signal of the report. */
export class ReportAnswerDto extends ReportOutcomeDto {
  @ApiProperty({ enum: [true] })
  success!: true;
  @ApiProperty()
  message!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'See GET /api/v3/uploads/:id; null if the report contains no signals',
  })
  uploadId!: string | null;
  @ApiProperty({ description: 'Number of signals stored in the log' })
  accepted!: number;
  @ApiProperty({ description: 'Number of accepted signals that have expired and create no finding' })
  ignored!: number;
  @ApiProperty({ type: [EntryMessageDto], description: 'The first 100' })
  warnings!: EntryMessageDto[];
}

/** The changes of a report: nothing was appended. */
export class ReportPreviewDto extends IntersectionType(ZipPreviewDto, ReportOutcomeDto) {}

export class ReportFormatDto {
  @ApiProperty({ example: 'trivy' })
  name!: string;
  @ApiProperty({ type: [String], description: 'Other names that `format` accepts' })
  aliases!: string[];
  @ApiProperty({ example: 'Trivy (JSON)' })
  title!: string;
  @ApiProperty({ description: 'What counts as one finding' })
  unit!: string;
}

export class ReportFormatsDto {
  @ApiProperty({ type: [ReportFormatDto] })
  items!: ReportFormatDto[];
}
