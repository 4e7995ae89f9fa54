import { ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsBaseUrl, IsCredential, IsNameList, IsSyncDays } from './config-fields.ts';

/** The configuration of every integration. */
class CommonConfigDto {
  @IsBaseUrl()
  url!: string;

  @IsSyncDays()
  autoSyncDays: number | null = 1;
}

/** The configuration of an EDR integration in answers. */
export class FalconConfigDto extends CommonConfigDto {
  @IsCredential({
    description: 'Credentials of an API client with the scopes Alerts (Read) and Hosts (Read)',
  })
  clientId!: string;

  @IsNameList(
    'Imports only hosts with one of these tags. An empty list imports all hosts. `x` also matches `FalconGroupingTags/x` and `SensorGroupingTags/x`',
  )
  tagFilters: string[] = [];

  @ApiPropertyOptional({ default: true, description: 'false: imports only assets that already exist' })
  @IsBoolean()
  autoOnboardNewAssets: boolean = true;

  @ApiPropertyOptional({
    default: true,
    description: 'false: does not update the metadata of existing assets',
  })
  @IsBoolean()
  updateExistingAssetsMetadata: boolean = true;
}

class FalconSecretsDto {
  @IsCredential({ writeOnly: true, description: 'Stored encrypted and never returned' })
  clientSecret!: string;
}

/** As it is given for a new integration. */
export class NewFalconConfigDto extends IntersectionType(FalconConfigDto, FalconSecretsDto) {}

/** A stored one, and the replaced parts. */
export class MergedFalconConfigDto extends IntersectionType(
  FalconConfigDto,
  PartialType(FalconSecretsDto, { skipNullProperties: false }),
) {}

/** The fields of a PATCH; the others are unchanged. */
export class ChangeFalconConfigDto extends PartialType(NewFalconConfigDto, { skipNullProperties: false }) {}

/** Of the inventory, as returned. */
export class AxoniusConfigDto extends CommonConfigDto {
  @IsCredential({ description: 'Credentials of an API user who may view device assets' })
  apiKey!: string;

  @IsNameList('Updates only assets with one of these attack surfaces. An empty list updates no assets')
  attackSurfaceTypes: string[] = [];
}

class AxoniusSecretsDto {
  @IsCredential({ writeOnly: true, description: 'Stored encrypted and never returned' })
  apiSecret!: string;
}

export class NewAxoniusConfigDto extends IntersectionType(AxoniusConfigDto, AxoniusSecretsDto) {}

export class MergedAxoniusConfigDto extends IntersectionType(
  AxoniusConfigDto,
  PartialType(AxoniusSecretsDto, { skipNullProperties: false }),
) {}

export class ChangeAxoniusConfigDto extends PartialType(NewAxoniusConfigDto, { skipNullProperties: false }) {}
