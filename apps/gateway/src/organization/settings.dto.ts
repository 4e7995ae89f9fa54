import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO4217CurrencyCode,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  FINDING_TYPES,
  type FindingType,
  type Level,
  posture2,
  SCORING_MODELS,
  type ScoringModel,
  type Settings,
  type Sla,
} from '#libs/domain';
import { LEVELS } from '../assets/levels.ts';
import { IsListOf } from '../http/is-list-of.ts';
import { MayBeLeftOut, MayBeNull } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';
import { NAME_CHARACTERS_MAX } from './asset-option.dto.ts';
import { IsNetwork } from './is-network.ts';

const DAYS_MAX = 3_650;
export const HISTORY_DAYS_MAX = DAYS_MAX;
/** Longer than anything is delayed on its way to subscribers and scores. */
export const HISTORY_DAYS_MIN = 30;
const DAY_SECONDS = 86_400;
const NETWORKS_MAX = 100;
const TRUSTED_MAX = 20;
const SOURCE_CHARACTERS_MAX = 255;
export const DEPARTMENTS_MAX = 100;
/** A row for each criticality of each department, and of all departments. */
const LOSS_ROWS_MAX = LEVELS.length * (DEPARTMENTS_MAX + 1);

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

const KeptDays = () => (target: object, property: string) => {
  const bounds = { minimum: HISTORY_DAYS_MIN, maximum: DAYS_MAX };
  ApiPropertyOptional({ ...bounds, type: 'integer', nullable: true, example: 365 })(target, property);
  ValidateIf((_, value) => value !== null && value !== undefined)(target, property);
  IsInt()(target, property);
  Min(HISTORY_DAYS_MIN)(target, property);
  Max(DAYS_MAX)(target, property);
};

/** Days by finding type; types left out keep theirs, and null is for ever. */
export class HistoryRetentionDaysDto implements Partial<Record<FindingType, number | null>> {
  @KeptDays()
  finding?: number | null;
  @KeptDays()
  ca?: number | null;
  @KeptDays()
  va?: number | null;
  @KeptDays()
  edr?: number | null;
  @KeptDays()
  uba?: number | null;
  @KeptDays()
  waf?: number | null;
  @KeptDays()
  others?: number | null;
}

/** Days by level of the severity; a level that is left out has none. */
export class SlaSeverityDto implements Partial<Record<Level, number>> {
  @Days()
  critical?: number;
  @Days()
  high?: number;
  @Days()
  medium?: number;
  @Days()
  low?: number;
  @Days()
  info?: number;
}

/** Days by SSVC decision; a decision that is left out has none. */
export class SlaSsvcDto implements Partial<Record<posture2.SsvcDecision, number>> {
  @Days()
  Act?: number;
  @Days()
  Attend?: number;
  @Days()
  'Track*'?: number;
  @Days()
  Track?: number;
}

/** Days within which failed findings are to be remedied. If several apply, the fewest do. At least one number of days. */
export class SlaDto implements Sla {
  @ApiProperty({ type: SlaSeverityDto, required: false, example: { critical: 15, high: 30, medium: 90 } })
  @IsObject()
  @ValidateNested()
  @Type(() => SlaSeverityDto)
  severity: SlaSeverityDto = {};

  @ApiProperty({ type: SlaSsvcDto, required: false, example: { Act: 3, Attend: 14 } })
  @IsObject()
  @ValidateNested()
  @Type(() => SlaSsvcDto)
  ssvc: SlaSsvcDto = {};

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    minimum: 1,
    maximum: DAYS_MAX,
    example: 14,
    description: "Of findings with a CVE of CISA's Known Exploited Vulnerabilities catalogue",
  })
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  kev: number | null = null;

  @ApiProperty({ required: false, description: 'true: acceptances of findings require `until`' })
  @IsBoolean()
  exceptionsNeedEnd: boolean = false;
}

const Rate = (description: string) => (target: object, property: string) => {
  const bounds =
    property === 'best' ? { maximum: posture2.BEST_RATE_MAX } : { maximum: 1, exclusiveMaximum: true };
  ApiProperty({ minimum: posture2.RATE_MIN, ...bounds, description })(target, property);
  IsNumber()(target, property);
};

/** Shares of organizations with a significant incident within a year, 0.0001 ≤ low ≤ best ≤ high < 1. */
export class BaseRateDto implements posture2.IncidentRates {
  @Rate('Lowest plausible share')
  low!: number;
  @Rate('Most likely share')
  best!: number;
  @Rate('Highest plausible share; below 1')
  high!: number;
}

const Amount = (description: string) => (target: object, property: string) => {
  ApiProperty({ minimum: posture2.LOSS_MIN, maximum: posture2.LOSS_MAX, description })(target, property);
  IsNumber()(target, property);
  Min(posture2.LOSS_MIN)(target, property);
  Max(posture2.LOSS_MAX)(target, property);
};

/**
 * Loss from one compromised asset of a criticality (docs/scoring.md "Loss"): the 5 % and 95 % points of a lognormal
 * distribution, min ≤ max.
 */
export class LossRangeDto implements posture2.LossRange {
  @ApiProperty({ example: 'EUR', description: 'ISO 4217 code, the same in all rows' })
  @Matches(/^[A-Z]{3}$/, { message: 'currency must be an ISO 4217 code such as EUR' })
  @IsISO4217CurrencyCode({ message: 'currency must be an ISO 4217 code such as EUR' })
  currency!: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'Finance',
    description:
      'Department of the assets; uppercase and lowercase letters are not distinguished. null or omitted: of all ' +
      'departments without a row of this criticality',
  })
  @MayBeNull()
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  department?: string | null;

  @ApiProperty({
    enum: LEVELS,
    description: 'Criticality of the assets. An asset without criticality has the range of medium',
  })
  @IsIn(LEVELS)
  criticality!: Level;

  @Amount('Loss that is exceeded in 95 of 100 cases')
  min!: number;
  @Amount('Loss that is exceeded in 5 of 100 cases. At least `min`')
  max!: number;
}

/** The fields of a PATCH of the settings, each with its bounds. */
class ChangeableSettingsDto {
  @ApiProperty({
    enum: ['name', 'fqdn'],
    description: '`fqdn`: assets whose FQDNs have the same first label remain separate',
  })
  @IsIn(['name', 'fqdn'])
  assetMatching!: Settings['assetMatching'];

  @ApiProperty({
    type: RetirementDaysDto,
    description: `Days until a finding without expiresAt expires, by type: ${FINDING_TYPES.join(', ')} (Finding Retirement Policy)`,
  })
  @IsObject()
  @ValidateNested()
  @Type(() => RetirementDaysDto)
  retirementDays!: RetirementDaysDto;

  @ApiProperty({
    minimum: 1,
    maximum: DAYS_MAX,
    description: 'Days without a signal until a finding is retired',
  })
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  retentionDays!: number;

  @ApiProperty({
    type: HistoryRetentionDaysDto,
    description:
      'Days that superseded changes of findings are kept, by type; null or omitted: for ever. Older changes are counted ' +
      'and removed (GET /api/v3/history-retention). This cannot be undone',
  })
  @IsObject()
  @ValidateNested()
  @Type(() => HistoryRetentionDaysDto)
  historyRetentionDays!: HistoryRetentionDaysDto;

  @ApiProperty({
    description:
      'true: deletes assets that have no active findings and no update within the retention period',
  })
  @IsBoolean()
  deleteAssetsWithoutData!: boolean;

  @ApiProperty({ example: '4.1', description: 'Below 4.1, a va signal requires a CVE or a TTP' })
  @Matches(/^\d{1,3}(\.\d{1,3}){0,2}$/, { message: 'platformVersion must be a version such as 4.1' })
  platformVersion!: string;

  @ApiProperty({
    minimum: 10,
    maximum: DAY_SECONDS,
    description: 'Maximum processing lag. The gateway rejects uploads while processing lags further behind',
  })
  @IsInt()
  @Min(10)
  @Max(DAY_SECONDS)
  maxLagSeconds!: number;

  @ApiProperty({
    minimum: 1,
    maximum: 3_600,
    description:
      'Maximum difference in seconds between the clock of a program and the clock of the database (default 60). If it is exceeded, the program is not ready, rejects uploads and changes, and does not process expirations',
  })
  @IsInt()
  @Min(1)
  @Max(3_600)
  clockSkewSecondsMax!: number;

  @ApiProperty({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Rate limit of POST /api/v3/signals, across all gateways',
  })
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  jsonRequestsPerMinute!: number;

  @ApiProperty({
    enum: ['advise', 'enforce'],
    description:
      'Behavior after 100 JSON signals of one credential within 24 hours: `advise` adds `advice` to the response, `enforce` rejects further signals',
  })
  @IsIn(['advise', 'enforce'])
  jsonDailyPolicy!: Settings['jsonDailyPolicy'];

  @ApiProperty({
    minimum: 0,
    maximum: DAY_SECONDS,
    description: 'Delay in seconds until tags fill a new custom field',
  })
  @IsInt()
  @Min(0)
  @Max(DAY_SECONDS)
  customFieldRecognitionDelaySeconds!: number;

  @ApiProperty({
    description:
      'Name of the department of assets for which no source reports a department, from their next signal on',
    example: 'Sales',
  })
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  defaultDepartment!: string;

  @ApiProperty({
    description:
      'Name of the location of assets for which no source reports a location, from their next signal on',
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
      'Addresses, networks and host names that are not public but that integrations may connect to',
  })
  @IsArray()
  @ArrayMaxSize(NETWORKS_MAX)
  @IsString({ each: true })
  @MaxLength(253, { each: true })
  @IsNetwork({ each: true })
  egressAllow!: string[];

  @ApiProperty({
    type: [String],
    maxItems: TRUSTED_MAX,
    example: ['EDR', 'CMDB'],
    description:
      'Names of sources whose data about assets takes precedence, the most trusted one first. The values of other sources are compared by time: the newest is shown. Applies to an asset when one of its sources describes it again',
  })
  @IsArray()
  @ArrayMaxSize(TRUSTED_MAX)
  @IsString({ each: true })
  @Length(1, SOURCE_CHARACTERS_MAX, { each: true })
  trustedSources!: string[];

  @ApiProperty({
    enum: SCORING_MODELS,
    description:
      'Model that computes scores from the time of the change on (docs/scoring.md). Earlier scores keep their model',
  })
  @IsIn(SCORING_MODELS)
  scoringModel!: ScoringModel;

  @ApiProperty({
    type: BaseRateDto,
    example: posture2.DEFAULT_INCIDENT_RATES,
    description:
      'Shares of organizations with a significant incident within a year. Used by posture-2 from the time of the change on',
  })
  @IsObject()
  @ValidateNested()
  @Type(() => BaseRateDto)
  baseRate!: BaseRateDto;

  @ApiProperty({
    type: [LossRangeDto],
    maxItems: LOSS_ROWS_MAX,
    description:
      'Losses from one compromised asset, one row for each criticality, or criticality and department. An asset without ' +
      'a row has no loss. [] (default): no amounts are computed. A change replaces all rows',
  })
  @IsListOf(LossRangeDto, LOSS_ROWS_MAX, 'loss must be a list of rows, or [] for no amounts')
  loss!: LossRangeDto[];

  @ApiProperty({
    type: SlaDto,
    nullable: true,
    description:
      'Days until failed findings are due, unless a user sets a due date (docs/triage.md). null (default): only users set ' +
      'due dates. A change replaces all days',
  })
  @ValidateIf((_, value) => value !== null)
  @IsObject()
  @ValidateNested()
  @Type(() => SlaDto)
  sla!: SlaDto | null;
}

class SettingsVersionDto {
  @IsSeenVersion('version of the settings', { minimum: 0 })
  version?: number;
}

export class ChangeSettingsDto extends IntersectionType(
  PartialType(ChangeableSettingsDto, { skipNullProperties: false }),
  SettingsVersionDto,
) {}

/** All settings, with their version. */
export class SettingsDto extends ChangeableSettingsDto {
  @ApiProperty({ description: 'Each change increments it' })
  version!: number;
}
