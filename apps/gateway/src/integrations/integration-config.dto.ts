import { ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsBaseUrl, IsCredential, IsNameList, IsSyncDays } from './config-fields.ts';

/** What every integration has (D28). */
class CommonConfigDto {
  @IsBaseUrl()
  url!: string;

  @IsSyncDays()
  autoSyncDays: number | null = 1;
}

/** Of the EDR platform, as it is answered (spec §Integration configuration). */
export class FalconConfigDto extends CommonConfigDto {
  @IsCredential({ description: 'Of an API client with the scopes Alerts (Read) and Hosts (Read)' })
  clientId!: string;

  @IsNameList(
    'Hosts with one of these tags are pulled, all where it is empty; `x` also means `FalconGroupingTags/x` and `SensorGroupingTags/x` (D30)',
  )
  tagFilters: string[] = [];

  @ApiPropertyOptional({ default: true, description: 'false: only assets that are there already are pulled' })
  @IsBoolean()
  autoOnboardNewAssets: boolean = true;

  @ApiPropertyOptional({ default: true, description: 'false: metadata of assets that are there stays' })
  @IsBoolean()
  updateExistingAssetsMetadata: boolean = true;
}

class FalconSecretsDto {
  @IsCredential({ writeOnly: true, description: 'Stored encrypted, and never shown again (D27)' })
  clientSecret!: string;
}

/** As it is given for a new integration. */
export class NewFalconConfigDto extends IntersectionType(FalconConfigDto, FalconSecretsDto) {}

/** A stored one, and what was given instead of its parts. */
export class MergedFalconConfigDto extends IntersectionType(
  FalconConfigDto,
  PartialType(FalconSecretsDto, { skipNullProperties: false }),
) {}

/** What a PATCH may give; the rest stays. */
export class ChangeFalconConfigDto extends PartialType(NewFalconConfigDto, { skipNullProperties: false }) {}

/** Of the inventory, as it is answered. */
export class AxoniusConfigDto extends CommonConfigDto {
  @IsCredential({ description: 'Of a user with API access who may view device assets' })
  apiKey!: string;

  @IsNameList('Assets of these attack surfaces are updated; none where it is empty (D31)')
  attackSurfaceTypes: string[] = [];
}

class AxoniusSecretsDto {
  @IsCredential({ writeOnly: true, description: 'Stored encrypted, and never shown again (D27)' })
  apiSecret!: string;
}

export class NewAxoniusConfigDto extends IntersectionType(AxoniusConfigDto, AxoniusSecretsDto) {}

export class MergedAxoniusConfigDto extends IntersectionType(
  AxoniusConfigDto,
  PartialType(AxoniusSecretsDto, { skipNullProperties: false }),
) {}

export class ChangeAxoniusConfigDto extends PartialType(NewAxoniusConfigDto, { skipNullProperties: false }) {}
