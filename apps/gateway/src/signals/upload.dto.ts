import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FieldMessage } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { MergedNameDto, UploadOutcomeDto } from '../uploads/upload.dto.ts';

export class FieldMessageDto implements FieldMessage {
  @ApiProperty({ description: 'Dotted path in the signal; empty for the complete signal' })
  field!: string;
  @ApiProperty()
  message!: string;
}

export class EntryMessageDto extends FieldMessageDto {
  @ApiProperty({ description: 'Name of the ZIP entry' })
  entry!: string;
}

/** The answer to every accepted upload: a 200 means that the log has stored it (R-UPL-1). */
class UploadAnswerDto {
  @ApiProperty({ enum: [true] })
  success!: true;
  @ApiProperty()
  message!: string;
  @ApiProperty({ format: 'uuid', description: 'See GET /api/v3/uploads/:id' })
  uploadId!: string;
  @ApiProperty({ description: 'Number of signals stored in the log' })
  accepted!: number;
  @ApiProperty({ description: 'Number of accepted signals that have expired and create no finding' })
  ignored!: number;
}

export class SignalAnswerDto extends UploadAnswerDto {
  @ApiProperty({ type: [FieldMessageDto] })
  warnings!: FieldMessageDto[];
  @ApiPropertyOptional({
    description: 'Present after more than 100 JSON signals of a credential within 24 hours',
  })
  advice?: string;
}

/** The log has every signal except the rejected ones. */
export class ZipAnswerDto extends UploadAnswerDto {
  @ApiProperty({ description: 'Number of malformed entries rejected; only with `invalid=skip`' })
  rejected!: number;
  @ApiProperty({ type: [EntryMessageDto], description: 'Errors of the rejected entries; the first 100' })
  errors!: EntryMessageDto[];
  @ApiProperty({ type: [EntryMessageDto], description: 'The first 100' })
  warnings!: EntryMessageDto[];
}

/** What would become of a finding, or of a signal that would change none. */
export class WouldDto {
  @ApiProperty({ description: 'Name of the asset' })
  asset!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the finding; null if the signal only describes an asset',
  })
  name!: string | null;
  @ApiProperty({ type: String, nullable: true })
  type!: string | null;
  @ApiProperty({ enum: ['created', 'updated', 'stateChanged', 'retired', 'returned', 'ignored'] })
  would!: string;
  @ApiProperty({ type: String, nullable: true, description: 'State before' })
  from!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'State after' })
  to!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'replaced' })
  reason!: string | null;
}

/** The changes of a ZIP: nothing was appended. */
export class ZipPreviewDto {
  @ApiProperty({ enum: [true] })
  dryRun!: true;
  @ApiProperty({ description: 'Number of signals that would be accepted' })
  accepted!: number;
  @ApiProperty({ description: 'Number of accepted signals that have expired' })
  ignored!: number;
  @ApiProperty({ description: 'Number of malformed entries rejected; only with `invalid=skip`' })
  rejected!: number;
  @ApiProperty({ type: [EntryMessageDto], description: 'The first 100' })
  errors!: EntryMessageDto[];
  @ApiProperty({ type: [EntryMessageDto], description: 'The first 100' })
  warnings!: EntryMessageDto[];
  @ApiProperty({ type: UploadOutcomeDto })
  outcome!: UploadOutcomeDto;
  @ApiProperty({ type: [MergedNameDto], description: 'The first 100' })
  merged!: MergedNameDto[];
  @ApiProperty({ type: [String], description: 'The first 100' })
  unrecognisedTags!: string[];
  @ApiProperty({ type: [WouldDto], description: 'The first 1,000' })
  findings!: WouldDto[];
  @ApiProperty()
  findingsLeftOut!: number;
}

export class ZipQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'true: appends nothing and returns what would be created, updated, retired and ignored',
  })
  @MayBeLeftOut()
  @IsIn(['true', 'false'])
  dryRun?: 'true' | 'false';

  @MayBeLeftOut()
  @IsIn(['skip'], { message: 'invalid must be skip if present' })
  @ApiProperty({
    required: false,
    enum: ['skip'],
    description:
      'Accepts the valid entries and reports the malformed ones. Without it, one malformed entry rejects the ZIP',
  })
  invalid?: 'skip';
}
