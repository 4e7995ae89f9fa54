import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayUnique, IsArray, IsIn, IsObject, IsString, Length, ValidateNested } from 'class-validator';
import { FINDING_TYPES, type FindingType } from '#libs/domain';
import { IsListOf } from '../http/is-list-of.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';

const NAME_CHARACTERS_MAX = 100;
const PATTERN_CHARACTERS_MAX = 200;
const ROWS_MAX = 2_000;

/** The asset type of an operating system. */
export class AssetTypingDto {
  @ApiProperty({ example: 'Windows Server', maxLength: NAME_CHARACTERS_MAX })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  assetType!: string;

  @ApiProperty({
    example: 'Servers',
    maxLength: NAME_CHARACTERS_MAX,
    description: 'Attack surface of the asset type',
  })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  attackSurface!: string;

  @ApiProperty({ enum: FINDING_TYPES, isArray: true, description: 'The assessments that the type supports' })
  @IsArray()
  @ArrayUnique()
  @IsIn(FINDING_TYPES, { each: true, message: `supports must be a list of ${FINDING_TYPES.join(', ')}` })
  supports!: FindingType[];
}

export class OsMappingRowDto extends AssetTypingDto {
  @ApiProperty({
    example: 'windows server*',
    maxLength: PATTERN_CHARACTERS_MAX,
    description: 'Pattern for the operating system, case-insensitive; `*` matches any characters',
  })
  @IsString()
  @Length(1, PATTERN_CHARACTERS_MAX)
  osPattern!: string;
}

/** The OS-to-asset-type mapping: the first pattern that matches wins. */
export class OsMappingDto {
  @ApiProperty({ type: [OsMappingRowDto], maxItems: ROWS_MAX })
  @IsListOf(OsMappingRowDto, ROWS_MAX)
  mappings!: OsMappingRowDto[];

  @ApiProperty({ type: AssetTypingDto, description: 'Asset type if no pattern matches' })
  @IsObject()
  @ValidateNested()
  @Type(() => AssetTypingDto)
  default!: AssetTypingDto;
}

export class ReplaceOsMappingDto extends OsMappingDto {
  @IsSeenVersion('version of the settings', { minimum: 0 })
  version?: number;
}
