import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../paging/page.ts';

export class UploadOutcomeDto {
  @ApiProperty({ description: 'Findings created' })
  created!: number;
  @ApiProperty({ description: 'Findings that changed' })
  updated!: number;
  @ApiProperty({ description: 'Findings in which only signal id, timestamps or expiry changed' })
  unchanged!: number;
  @ApiProperty({ description: 'Findings retired by the upload' })
  retired!: number;
  @ApiProperty()
  assetsCreated!: number;
  @ApiProperty()
  assetsUpdated!: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of signals without effect, by reason; contains only reasons that occurred',
    example: { expired: 2 },
  })
  ignored!: Record<string, number>;
}

export class MergedNameDto {
  @ApiProperty({
    description: 'Name that was merged into an asset with a different FQDN (setting assetMatching)',
  })
  name!: string;
  @ApiProperty({ format: 'uuid' })
  assetId!: string;
}

export class UploadWarningDto {
  @ApiProperty({ type: String, nullable: true, description: 'Name of the ZIP entry' })
  entry!: string | null;
  @ApiProperty()
  field!: string;
  @ApiProperty()
  message!: string;
}

/** An upload and its outcome. */
export class UploadDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ enum: ['json', 'zip', 'inbox', 'sync'] })
  kind!: string;
  @ApiProperty({ format: 'date-time' })
  receivedAt!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User name of the credential' })
  by!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Topic, partition and offset of the record of the inbox; null for other uploads',
    example: 'posture.signals/3/1234',
  })
  source!: string | null;
  @ApiProperty({ description: 'Number of signals stored in the log' })
  accepted!: number;
  @ApiProperty({ description: 'Number of entries omitted because of ?invalid=skip' })
  rejected!: number;
  @ApiProperty({ description: 'Number of signals processed so far' })
  folded!: number;
  @ApiProperty({ description: 'true if all events of the upload are processed' })
  done!: boolean;
  @ApiProperty({ type: UploadOutcomeDto })
  outcome!: UploadOutcomeDto;
  @ApiProperty({ type: [MergedNameDto], description: 'The first 100' })
  merged!: MergedNameDto[];
  @ApiProperty({ type: [String], description: 'The first 100' })
  unrecognisedTags!: string[];
  @ApiProperty({ type: [UploadWarningDto] })
  warnings!: UploadWarningDto[];
}

export class UploadPageDto extends pageOf(UploadDto) {}
