import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsObject,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

const NAMES_MAX = 50;
/** As of departments and locations (`asset-option.dto.ts`). */
const NAME_CHARACTERS_MAX = 200;

const namesOf = (what: string): ApiPropertyOptions => ({
  type: [String],
  minItems: 1,
  uniqueItems: true,
  maxItems: NAMES_MAX,
  description: `Names of ${what}. Assets of other ${what} are not visible`,
});

const IsNames = (what: string) => (target: object, property: string) => {
  ApiPropertyOptional(namesOf(what))(target, property);
  MayBeLeftOut()(target, property);
  IsArray()(target, property);
  ArrayNotEmpty()(target, property);
  ArrayMaxSize(NAMES_MAX)(target, property);
  ArrayUnique()(target, property);
  IsString({ each: true })(target, property);
  MaxLength(NAME_CHARACTERS_MAX, { each: true })(target, property);
};

/** An asset has to match both lists if both are given. */
export class AddRowLimitsDto {
  @IsNames('departments')
  departments?: string[];
  @IsNames('locations')
  locations?: string[];
}

export class RowLimitsDto {
  @ApiProperty({ type: [String], nullable: true, description: 'null: all departments' })
  departments!: string[] | null;
  @ApiProperty({ type: [String], nullable: true, description: 'null: all locations' })
  locations!: string[] | null;
}

/** The field of a new credential or API token. */
export const TakesRowLimits = () => (target: object, property: string) => {
  ApiPropertyOptional({
    type: AddRowLimitsDto,
    minProperties: 1,
    description: 'Departments and locations whose assets are visible. Default: those of the caller',
  })(target, property);
  MayBeLeftOut()(target, property);
  IsObject()(target, property);
  ValidateNested()(target, property);
  Type(() => AddRowLimitsDto)(target, property);
};

/** The field of a credential or API token. */
export const HasRowLimits = () =>
  ApiProperty({
    type: RowLimitsDto,
    nullable: true,
    description: 'Departments and locations whose assets are visible; null: all',
  });
