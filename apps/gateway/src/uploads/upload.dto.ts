import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../paging/page.ts';

export class UploadOutcomeDto {
  @ApiProperty({ description: 'Findings created' })
  created!: number;
  @ApiProperty({ description: 'Findings that changed' })
  updated!: number;
  @ApiProperty({ description: 'Findings where nothing differs but signal id, timestamps and expiry' })
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
    description: 'Signals without effect, by reason; only reasons that occurred',
    example: { expired: 2 },
  })
  ignored!: Record<string, number>;
}

export class MergedNameDto {
  @ApiProperty({ description: 'A name that joined an asset of another FQDN (setting assetMatching)' })
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

/** An upload and what became of it (api.md: uploads). */
export class UploadDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ enum: ['json', 'zip', 'sync'] })
  kind!: string;
  @ApiProperty({ format: 'date-time' })
  receivedAt!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User name of the credential' })
  by!: string | null;
  @ApiProperty({ description: 'Signals that the log holds' })
  accepted!: number;
  @ApiProperty({ description: 'Entries left out by ?invalid=skip' })
  rejected!: number;
  @ApiProperty({ description: 'Signals folded so far' })
  folded!: number;
  @ApiProperty({ description: 'true once every event of the upload is folded' })
  done!: boolean;
  @ApiProperty({ type: UploadOutcomeDto })
  outcome!: UploadOutcomeDto;
  @ApiProperty({ type: [MergedNameDto] })
  merged!: MergedNameDto[];
  @ApiProperty({ type: [String] })
  unrecognisedTags!: string[];
  @ApiProperty({ type: [UploadWarningDto] })
  warnings!: UploadWarningDto[];
}

export class UploadPageDto extends pageOf(UploadDto) {}
