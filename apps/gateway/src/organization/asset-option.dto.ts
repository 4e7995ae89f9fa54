import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsString, Length } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { Trimmed } from '../http/trimmed.ts';
import { pageOf } from '../paging/page.ts';

/** Longest name of a department, a location, a custom field or one of its options. */
export const NAME_CHARACTERS_MAX = 200;

/** A department or a location. */
export class AssetOptionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ example: 'Sales' })
  name!: string;
  @ApiProperty({ description: 'true: applies to assets for which no source reports a value' })
  default!: boolean;
}

export class AssetOptionPageDto extends pageOf(AssetOptionDto) {}

export class AddOptionDto {
  @ApiProperty({ minLength: 1, maxLength: NAME_CHARACTERS_MAX, example: 'Sales' })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  name!: string;

  @ApiPropertyOptional({ default: false, description: 'true: replaces the current default' })
  @MayBeLeftOut()
  @IsBoolean()
  default?: boolean;
}

export class ChangeOptionDto extends PartialType(AddOptionDto, { skipNullProperties: false }) {}
