import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsObject,
  IsString,
  Length,
  ValidateNested,
} from 'class-validator';
import { OWNER_RULES_MAX } from '#libs/domain';
import { AssigneeDto } from '../findings/triage-values.dto.ts';
import { IsListOf } from '../http/is-list-of.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { NAME_CHARACTERS_MAX } from '../organization/asset-option.dto.ts';

/** Departments, or locations, of one rule. */
const NAMES_MAX = 20;
const TAGS_MAX = 10;
const KEY_CHARACTERS_MAX = 200;
const VALUE_CHARACTERS_MAX = 1_000;

const Names = (example: string, what: string) => (target: object, property: string) => {
  const description = `The asset belongs to one of these ${what}, which are compared exactly; empty: to any`;
  const items = { type: 'string', minLength: 1, maxLength: NAME_CHARACTERS_MAX } as const;
  ApiProperty({
    type: 'array',
    items,
    maxItems: NAMES_MAX,
    uniqueItems: true,
    required: false,
    example: [example],
    description,
  })(target, property);
  IsArray()(target, property);
  ArrayMaxSize(NAMES_MAX)(target, property);
  ArrayUnique({ message: `${property} must contain each name once` })(target, property);
  IsString({ each: true })(target, property);
  Length(1, NAME_CHARACTERS_MAX, { each: true })(target, property);
};

/** A tag that an asset has to have. */
export class OwnerRuleTagDto {
  @ApiProperty({ minLength: 1, maxLength: KEY_CHARACTERS_MAX, example: 'env' })
  @IsString()
  @Length(1, KEY_CHARACTERS_MAX)
  key!: string;

  @ApiProperty({ minLength: 1, maxLength: VALUE_CHARACTERS_MAX, example: 'prod' })
  @IsString()
  @Length(1, VALUE_CHARACTERS_MAX)
  value!: string;
}

/** Gives assets an owner if they match all of its lists. A rule without conditions matches all assets. */
export class OwnerRuleDto {
  @Names('Finance', 'departments')
  departments: string[] = [];

  @Names('Berlin', 'locations')
  locations: string[] = [];

  @ApiProperty({
    type: [OwnerRuleTagDto],
    maxItems: TAGS_MAX,
    required: false,
    description:
      'The asset has all of these tags, which are compared exactly. Tags of sealed assets (docs/privacy.md) match no rule',
  })
  @IsListOf(OwnerRuleTagDto, TAGS_MAX)
  tags: OwnerRuleTagDto[] = [];

  @ApiProperty({ type: AssigneeDto })
  @IsObject()
  @ValidateNested()
  @Type(() => AssigneeDto)
  owner!: AssigneeDto;
}

class RuleListDto {
  @ApiProperty({
    type: [OwnerRuleDto],
    maxItems: OWNER_RULES_MAX,
    description: 'In their order: the first rule that matches gives the owner of an asset',
  })
  @IsListOf(OwnerRuleDto, OWNER_RULES_MAX)
  rules!: OwnerRuleDto[];
}

export class OwnerRulesDto extends RuleListDto {
  @ApiProperty({ description: 'Version of the settings. Each change of any setting increments it' })
  version!: number;
}

export class ReplaceOwnerRulesDto extends RuleListDto {
  @IsSeenVersion('version of the settings', { minimum: 0 })
  version?: number;
}

export class PreviewOwnerRulesDto extends RuleListDto {}

/** What rules give. */
export class OwnedCountsDto {
  @ApiProperty({ minimum: 0, description: 'Live assets' })
  assets!: number;
  @ApiProperty({
    minimum: 0,
    description: 'Their findings that are Failed or Not Assessed and that no user has assigned',
  })
  findings!: number;
}

/** What an owner has by the rules in force, and by those of the request. */
export class OwnerChangeDto {
  @ApiProperty({ type: AssigneeDto })
  owner!: AssigneeDto;
  @ApiProperty({ type: OwnedCountsDto })
  before!: OwnedCountsDto;
  @ApiProperty({ type: OwnedCountsDto })
  after!: OwnedCountsDto;
}

export class OwnerRulesPreviewDto {
  @ApiProperty({
    type: [OwnedCountsDto],
    maxItems: OWNER_RULES_MAX,
    description: 'Of the assets that each rule of the request matches first',
  })
  rules!: OwnedCountsDto[];
  @ApiProperty({ type: OwnedCountsDto, description: 'Of the assets that no rule of the request matches' })
  unowned!: OwnedCountsDto;
  @ApiProperty({
    type: OwnedCountsDto,
    description: 'Of the assets whose owner differs from the one by the rules in force',
  })
  changed!: OwnedCountsDto;
  @ApiProperty({
    type: [OwnerChangeDto],
    maxItems: 2 * OWNER_RULES_MAX,
    description: 'Every owner by the rules in force or of the request, sorted by type and name',
  })
  owners!: OwnerChangeDto[];
}
