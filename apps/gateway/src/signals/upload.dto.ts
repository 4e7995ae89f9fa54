import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FieldMessage } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { MergedNameDto, UploadOutcomeDto } from '../uploads/upload.dto.ts';

export class FieldMessageDto implements FieldMessage {
  @ApiProperty({ description: 'Dotted path in the signal; empty: the signal as a whole' })
  field!: string;
  @ApiProperty()
  message!: string;
}

export class EntryMessageDto extends FieldMessageDto {
  @ApiProperty({ description: 'Name of the ZIP entry' })
  entry!: string;
}

/** What every accepted upload is answered with: a 200 says that the log holds it, durably (D17). */
class UploadAnswerDto {
  @ApiProperty({ enum: [true] })
  success!: true;
  @ApiProperty()
  message!: string;
  @ApiProperty({ format: 'uuid', description: 'See GET /api/v3/uploads/:id' })
  uploadId!: string;
  @ApiProperty({ description: 'Signals that the log holds' })
  accepted!: number;
  @ApiProperty({ description: 'Those of them that were not turned into findings, being expired (D14)' })
  ignored!: number;
}

export class SignalAnswerDto extends UploadAnswerDto {
  @ApiProperty({ type: [FieldMessageDto] })
  warnings!: FieldMessageDto[];
  @ApiPropertyOptional({
    description: 'After more than 100 JSON signals of a credential within 24 hours (D19)',
  })
  advice?: string;
}

/** The log holds every signal but the rejected ones. */
export class ZipAnswerDto extends UploadAnswerDto {
  @ApiProperty({ description: 'Malformed entries left out; only with `invalid=skip` (D16)' })
  rejected!: number;
  @ApiProperty({ type: [EntryMessageDto], description: 'What was wrong with those; the first 100' })
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
    description: 'Of the finding; null where the signal describes an asset alone',
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

/** What a ZIP would come to: nothing was appended (D16). */
export class ZipPreviewDto {
  @ApiProperty({ enum: [true] })
  dryRun!: true;
  @ApiProperty({ description: 'Signals that would be taken' })
  accepted!: number;
  @ApiProperty({ description: 'Those of them that have expired' })
  ignored!: number;
  @ApiProperty({ description: 'Malformed entries left out; only with `invalid=skip` (D16)' })
  rejected!: number;
  @ApiProperty({ type: [EntryMessageDto], description: 'The first 100' })
  errors!: EntryMessageDto[];
  @ApiProperty({ type: [EntryMessageDto], description: 'The first 100' })
  warnings!: EntryMessageDto[];
  @ApiProperty({ type: UploadOutcomeDto })
  outcome!: UploadOutcomeDto;
  @ApiProperty({ type: [MergedNameDto] })
  merged!: MergedNameDto[];
  @ApiProperty({ type: [String] })
  unrecognisedTags!: string[];
  @ApiProperty({ type: [WouldDto], description: 'The first 1,000' })
  findings!: WouldDto[];
  @ApiProperty()
  findingsLeftOut!: number;
}

export class ZipQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'true: appends nothing, answers what would be created, updated, retired and ignored (D16)',
  })
  @MayBeLeftOut()
  @IsIn(['true', 'false'])
  dryRun?: 'true' | 'false';

  @MayBeLeftOut()
  @IsIn(['skip'], { message: 'invalid must be skip, or left out' })
  @ApiProperty({
    required: false,
    enum: ['skip'],
    description:
      'Take the valid entries and report the malformed ones; without it one malformed entry refuses all (D16)',
  })
  invalid?: 'skip';
}
