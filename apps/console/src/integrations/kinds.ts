import { IconListSearch, IconRadar2 } from '@tabler/icons-react';
import type { Api } from '../api/client.ts';

export type Integration = Api['IntegrationDto'];
export type IntegrationType = Integration['type'];

/** What a kind of integration is, and what its form asks for beside what all have. */
export interface Kind {
  type: IntegrationType;
  subType: Integration['subType'];
  title: string;
  brings: string;
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
  /** What is to be done at the platform first, step by step. */
  steps: readonly string[];
}

export const KINDS: Record<IntegrationType, Kind> = {
  edrplugin: {
    type: 'edrplugin',
    subType: 'falcon',
    title: 'Falcon EDR',
    brings: 'Hosts as assets, and their detections as EDR findings.',
    Icon: IconRadar2,
    urlExample: 'https://api.eu-1.crowdstrike.com',
    account: {
      field: 'clientId',
      label: 'Client ID',
      hint: 'Of an API client with the scopes Alerts (Read) and Hosts (Read).',
    },
    secret: { field: 'clientSecret', label: 'Client secret' },
    names: {
      field: 'tagFilters',
      label: 'Tag filters',
      hint: 'Only hosts with one of these tags are pulled. Leave it empty to pull all that the client can see.',
      whenEmpty: 'None: all hosts are pulled',
    },
    switches: [
      {
        field: 'autoOnboardNewAssets',
        label: 'Onboard new assets',
        hint: 'Off: hosts that are no asset yet are left out.',
      },
      {
        field: 'updateExistingAssetsMetadata',
        label: 'Update the metadata of existing assets',
        hint: 'Off: what is known of an asset stays as it is.',
      },
    ],
    steps: [
      'In the platform’s console, as a Falcon Administrator, open Support and resources, then API clients and keys.',
      'Create an API client with the scopes Hosts: Read and Alerts: Read. Both are needed.',
      'Note the base URL, the client ID and the secret: the platform shows the secret this once.',
    ],
  },
  assetinventory: {
    type: 'assetinventory',
    subType: 'axonius',
    title: 'Axonius asset inventory',
    brings: 'Metadata of assets that other sources have brought. No new asset and no finding.',
    Icon: IconListSearch,
    urlExample: 'https://company.on.axonius.com',
    account: {
      field: 'apiKey',
      label: 'API key',
      hint: 'Of a user with full API access who may view device assets.',
    },
    secret: { field: 'apiSecret', label: 'API secret' },
    names: {
      field: 'attackSurfaceTypes',
      label: 'Attack surfaces',
      hint: 'Only assets of these attack surfaces are updated. Left empty, no asset is.',
      whenEmpty: 'None: no asset is updated',
    },
    switches: [],
    steps: [
      'In the platform, take a user with full API access who may view device assets; API key and secret are in the profile.',
      'Here, under Settings, add the custom fields that are to be filled, each of the type Any and multi-valued: assetinventory-id, assetinventory-tags, assetinventory-connection-label, and one named like each adapter tag.',
    ],
  },
};

export const kindOf = ({ type }: Pick<Integration, 'type'>): Kind => KINDS[type];

/** By the name that the interface has for it, which is also that in the address bar. */
export const kindNamed = (subType: string | undefined): Kind | undefined =>
  Object.values(KINDS).find((kind) => kind.subType === subType);
