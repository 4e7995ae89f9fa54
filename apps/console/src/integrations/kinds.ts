import { IconListSearch, IconRadar2 } from '@tabler/icons-react';
import type { Api } from '../api/client.ts';

export type Integration = Api['IntegrationDto'];
export type IntegrationType = Integration['type'];

/** An integration type, with its specific form fields. */
export interface Kind {
  type: IntegrationType;
  subType: Integration['subType'];
  title: string;
  imports: string;
  Icon: typeof IconRadar2;
  urlExample: string;
  account: { field: 'clientId' | 'apiKey'; label: string; hint: string };
  secret: { field: 'clientSecret' | 'apiSecret'; label: string };
  names: { field: 'tagFilters' | 'attackSurfaceTypes'; label: string; hint: string; whenEmpty: string };
  switches: readonly {
    field: 'autoOnboardNewAssets' | 'updateExistingAssetsMetadata';
    label: string;
    hint: string;
  }[];
  /** Preparation steps on the platform. */
  steps: readonly string[];
}

export const KINDS: Record<IntegrationType, Kind> = {
  edrplugin: {
    type: 'edrplugin',
    subType: 'falcon',
    title: 'Falcon EDR',
    imports: 'Hosts as assets, and their detections as EDR findings.',
    Icon: IconRadar2,
    urlExample: 'https://api.eu-1.crowdstrike.com',
    account: {
      field: 'clientId',
      label: 'Client ID',
      hint: 'ID of an API client with the scopes Alerts (Read) and Hosts (Read).',
    },
    secret: { field: 'clientSecret', label: 'Client secret' },
    names: {
      field: 'tagFilters',
      label: 'Tag filters',
      hint: 'Only hosts with at least one of these tags are pulled. If empty, all hosts that the client can see are pulled.',
      whenEmpty: 'All hosts are pulled',
    },
    switches: [
      {
        field: 'autoOnboardNewAssets',
        label: 'Onboard new assets',
        hint: 'If off, hosts without an existing asset are skipped.',
      },
      {
        field: 'updateExistingAssetsMetadata',
        label: 'Update the metadata of existing assets',
        hint: 'If off, data of existing assets does not change.',
      },
    ],
    steps: [
      'In the platform’s console, as a Falcon Administrator, open Support and resources, then API clients and keys.',
      'Create an API client with the scopes Hosts: Read and Alerts: Read. Both are needed.',
      'Copy the base URL, the client ID and the secret. The platform shows the secret only once.',
    ],
  },
  assetinventory: {
    type: 'assetinventory',
    subType: 'axonius',
    title: 'Axonius asset inventory',
    imports: 'Metadata of existing assets. No new assets and no findings.',
    Icon: IconListSearch,
    urlExample: 'https://company.on.axonius.com',
    account: {
      field: 'apiKey',
      label: 'API key',
      hint: 'Credentials of an API user who may view device assets.',
    },
    secret: { field: 'apiSecret', label: 'API secret' },
    names: {
      field: 'attackSurfaceTypes',
      label: 'Attack surfaces',
      hint: 'Only assets with these attack surfaces are updated. If empty, no assets are updated.',
      whenEmpty: 'No assets are updated',
    },
    switches: [],
    steps: [
      'In the platform, use an account with full API access that may view device assets. Its profile shows the API key and the secret.',
      'In Settings, add the custom fields assetinventory-id, assetinventory-tags and assetinventory-connection-label, and one field with the name of each adapter tag. Use the type Any and allow multiple values.',
    ],
  },
};

export const kindOf = ({ type }: Pick<Integration, 'type'>): Kind => KINDS[type];

/** The type by its API name, which is also used in the address bar. */
export const kindNamed = (subType: string | undefined): Kind | undefined =>
  Object.values(KINDS).find((kind) => kind.subType === subType);
