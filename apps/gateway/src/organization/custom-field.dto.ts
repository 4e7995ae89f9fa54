import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Length,
  ValidateBy,
} from 'class-validator';
import { type CustomFieldType, isBuiltInKey } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';
import { pageOf } from '../paging/page.ts';
import { NAME_CHARACTERS_MAX } from './asset-option.dto.ts';

const TYPES: CustomFieldType[] = ['Any', 'Text', 'Select'];
const OPTIONS_MAX = 1_000;

const HasNoBuiltInMeaning = () =>
  ValidateBy({
    name: 'hasNoBuiltInMeaning',
    validator: {
      validate: (name: unknown) => typeof name !== 'string' || !isBuiltInKey(name),
      defaultMessage: () => '$property must not be a key with a built-in meaning: no tag fills such a field',
    },
  });

export class AddCustomFieldDto {
  @ApiProperty({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'edrsource-tags',
    description:
      'A tag with exactly this key fills it. Keys with a built-in meaning, such as `location`, `os` and `port` in any case, are rejected',
  })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  @HasNoBuiltInMeaning()
  name!: string;

  @ApiPropertyOptional({ enum: TYPES, default: 'Any', description: '`Select` accepts only its options' })
  @MayBeLeftOut()
  @IsIn(TYPES)
  type?: CustomFieldType;

  @ApiPropertyOptional({ default: false })
  @MayBeLeftOut()
  @IsBoolean()
  multiValued?: boolean;

  @ApiPropertyOptional({
    type: [String],
    maxItems: OPTIONS_MAX,
    description: 'Values that a `Select` accepts; empty for other types',
  })
  @MayBeLeftOut()
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'string' ? one.trim() : one)) : value,
  )
  @IsArray()
  @ArrayMaxSize(OPTIONS_MAX)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, NAME_CHARACTERS_MAX, { each: true })
  options?: string[];
}

export class ChangeCustomFieldDto extends PartialType(AddCustomFieldDto, { skipNullProperties: false }) {
  @IsSeenVersion('version of the settings', { minimum: 0 })
  version?: number;
}

/** A custom field. */
export class CustomFieldDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ enum: TYPES })
  type!: CustomFieldType;
  @ApiProperty()
  multiValued!: boolean;
  @ApiProperty({ type: [String] })
  options!: string[];
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ format: 'date-time', description: 'Signals received after this time fill the custom field' })
  recognisedAt!: string;
  @ApiProperty({ minimum: 0, description: 'Version of the settings' })
  version!: number;
}

export class RemovedCustomFieldDto extends CustomFieldDto {
  @ApiProperty({ description: 'Number of assets that have a value of the custom field', minimum: 0 })
  @IsInt()
  assets!: number;
}

export class CustomFieldPageDto extends pageOf(CustomFieldDto) {}

export class RemoveCustomFieldQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'true: removes the custom field even if assets have values of it',
  })
  @MayBeLeftOut()
  @IsIn(['true', 'false'])
  force?: 'true' | 'false';
}
