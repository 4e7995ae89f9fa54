import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { IntegrationSubType } from '#libs/domain';
import { IsBaseUrl, IsCredential, IsNameList, IsSyncDays } from './config-fields.ts';
import { type ConfigForms, configForms } from './config-forms.ts';

/** The configuration of every integration. */
class CommonConfigDto {
  @IsBaseUrl()
  url!: string;

  @IsSyncDays()
  autoSyncDays: number | null = 1;
}

/** The configuration of integrations whose records are assets. */
class AssetConfigDto extends CommonConfigDto {
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

const IsSecret = () => IsCredential({ writeOnly: true, description: 'Stored encrypted and never returned' });

class FalconConfigDto extends AssetConfigDto {
  @IsCredential({
    description: 'Credentials of an API client with the scopes Alerts (Read) and Hosts (Read)',
  })
  clientId!: string;

  @IsNameList(
    'Imports only hosts with one of these tags. An empty list imports all hosts. `x` also matches `FalconGroupingTags/x` and `SensorGroupingTags/x`',
  )
  tagFilters: string[] = [];
}

class FalconSecretsDto {
  @IsSecret()
  clientSecret!: string;
}

class AxoniusConfigDto extends CommonConfigDto {
  @IsCredential({ description: 'Credentials of an API user who may view device assets' })
  apiKey!: string;

  @IsNameList('Updates only assets with one of these attack surfaces. An empty list updates no assets')
  attackSurfaceTypes: string[] = [];
}

class AxoniusSecretsDto {
  @IsSecret()
  apiSecret!: string;
}

class TenableConfigDto extends AssetConfigDto {
  @IsCredential({
    description:
      'Access key of a user with the role Basic or higher and the permission Can View for the assets',
  })
  accessKey!: string;
}

class TenableSecretsDto {
  @IsSecret()
  secretKey!: string;
}

/** The configuration of each kind of integration. */
export const CONFIG_FORMS: Readonly<Record<IntegrationSubType, ConfigForms>> = {
  falcon: configForms('Falcon', FalconConfigDto, FalconSecretsDto),
  axonius: configForms('Axonius', AxoniusConfigDto, AxoniusSecretsDto),
  tenable: configForms('Tenable', TenableConfigDto, TenableSecretsDto),
};
