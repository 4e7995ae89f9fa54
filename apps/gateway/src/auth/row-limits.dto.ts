import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsString,
  MaxLength,
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
  description: `Names of ${what}. Assets of other ${what} are not visible. Default: those of the caller`,
});

const IsNames =
  (what: string, changes?: ApiPropertyOptions) =>
  (target: object, property: string): void => {
    ApiPropertyOptional({ ...namesOf(what), ...changes } as ApiPropertyOptions)(target, property);
    (changes ? IsOptional() : MayBeLeftOut())(target, property);
    IsArray()(target, property);
    ArrayNotEmpty()(target, property);
    ArrayMaxSize(NAMES_MAX)(target, property);
    ArrayUnique()(target, property);
    IsString({ each: true })(target, property);
    MaxLength(NAME_CHARACTERS_MAX, { each: true })(target, property);
  };

/** Which assets a new credential, API token or webhook shows: they match both lists if both are given. */
export class AddRowLimitsDto {
  @IsNames('departments')
  departments?: string[];
  @IsNames('locations')
  locations?: string[];
}

const CHANGES: ApiPropertyOptions = {
  nullable: true,
  description: 'Names whose assets are visible; null: all. Default: unchanged',
};

/** Other limits of an API token. */
export class ChangeRowLimitsDto {
  @IsNames('departments', CHANGES)
  departments?: string[] | null;
  @IsNames('locations', CHANGES)
  locations?: string[] | null;
}

/** Which assets a credential, an API token, a session or a webhook shows. */
export class RowLimitsDto {
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Departments whose assets are visible; null: all; empty: none',
  })
  departments!: readonly string[] | null;
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Locations whose assets are visible; null: all; empty: none',
  })
  locations!: readonly string[] | null;
}
