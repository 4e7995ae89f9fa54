import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { FINDING_TYPES, type FindingType, type Settings } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NAME_CHARACTERS_MAX, Trimmed } from './asset-option.dto.ts';
import { IsNetwork } from './is-network.ts';

const DAYS_MAX = 3_650;
const DAY_SECONDS = 86_400;
const NETWORKS_MAX = 100;
const VERSION_MAX = 2_147_483_647;

const Days = () => (target: object, property: string) => {
  ApiPropertyOptional({ minimum: 1, maximum: DAYS_MAX, example: 90 })(target, property);
  MayBeLeftOut()(target, property);
  IsInt()(target, property);
  Min(1)(target, property);
  Max(DAYS_MAX)(target, property);
};

/** Days by finding type; types left out keep theirs. */
export class RetirementDaysDto implements Partial<Record<FindingType, number>> {
  @Days()
  finding?: number;
  @Days()
  ca?: number;
  @Days()
  va?: number;
  @Days()
  edr?: number;
  @Days()
  uba?: number;
  @Days()
  waf?: number;
  @Days()
  others?: number;
}

/** What a PATCH of the settings may change, each with its bounds. */
export class ChangeableSettingsDto {
  @ApiProperty({
    enum: ['name', 'fqdn'],
    description: '`fqdn` keeps two FQDNs with the same first label apart (D2)',
  })
  @IsIn(['name', 'fqdn'])
  assetMatching!: Settings['assetMatching'];

  @ApiProperty({
    type: RetirementDaysDto,
    description: `Days until a finding without expiresAt expires, by type: ${FINDING_TYPES.join(', ')} (Finding Retirement Policy, D14)`,
  })
  @IsObject()
  @ValidateNested()
  @Type(() => RetirementDaysDto)
  retirementDays!: RetirementDaysDto;

  @ApiProperty({
    minimum: 1,
    maximum: DAYS_MAX,
    description: 'Days without a signal until a finding goes (D15)',
  })
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  retentionDays!: number;

  @ApiProperty({
    description: 'Assets without active findings and updates within the retention are deleted (D15)',
  })
  @IsBoolean()
  deleteAssetsWithoutData!: boolean;

  @ApiProperty({ example: '4.1', description: 'Below 4.1 a va signal needs a CVE or a TTP (D20)' })
  @Matches(/^\d{1,3}(\.\d{1,3}){0,2}$/, { message: 'platformVersion must be a version such as 4.1' })
  platformVersion!: string;

  @ApiProperty({
    minimum: 10,
    maximum: DAY_SECONDS,
    description: 'Uploads wait while the fold is further behind (D19)',
  })
  @IsInt()
  @Min(10)
  @Max(DAY_SECONDS)
  maxLagSeconds!: number;

  @ApiProperty({
    minimum: 1,
    maximum: 3_600,
    description:
      'Seconds that the clock of a program may differ from the clock of the database (60 until it is changed). Beyond, the program accepts and sweeps nothing and is not ready',
  })
  @IsInt()
  @Min(1)
  @Max(3_600)
  clockSkewSecondsMax!: number;

  @ApiProperty({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Of POST /api/v3/signals, over all gateways (D19)',
  })
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  jsonRequestsPerMinute!: number;

  @ApiProperty({
    enum: ['advise', 'enforce'],
    description: 'After 100 JSON signals of a credential in 24 hours (D19)',
  })
  @IsIn(['advise', 'enforce'])
  jsonDailyPolicy!: Settings['jsonDailyPolicy'];

  @ApiProperty({ minimum: 0, maximum: DAY_SECONDS, description: 'Until tags fill a new custom field (D7)' })
  @IsInt()
  @Min(0)
  @Max(DAY_SECONDS)
  customFieldRecognitionDelaySeconds!: number;

  @ApiProperty({
    description: 'Name of the department of assets for which no source gives one',
    example: 'Sales',
  })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  defaultDepartment!: string;

  @ApiProperty({
    description: 'Name of the location of assets for which no source gives one',
    example: 'Berlin',
  })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  defaultLocation!: string;

  @ApiProperty({
    type: [String],
    maxItems: NETWORKS_MAX,
    example: ['10.0.0.0/8', 'inventory.corp.example'],
    description:
      'Addresses, networks and host names that integrations may reach although they are not public (D27)',
  })
  @IsArray()
  @ArrayMaxSize(NETWORKS_MAX)
  @IsString({ each: true })
  @MaxLength(253, { each: true })
  @IsNetwork({ each: true })
  egressAllow!: string[];
}

class SeenVersionDto {
  @ApiPropertyOptional({
    minimum: 0,
    description: 'The version that was read: a 409 where somebody else has changed the settings since',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(VERSION_MAX)
  version?: number;
}

export class ChangeSettingsDto extends IntersectionType(
  PartialType(ChangeableSettingsDto, { skipNullProperties: false }),
  SeenVersionDto,
) {}

/** All settings that D2, D5, D7, D14, D15, D19, D20 and D27 name. */
export class SettingsDto extends ChangeableSettingsDto {
  @ApiProperty({ description: 'Counts the changes' })
  version!: number;
}
