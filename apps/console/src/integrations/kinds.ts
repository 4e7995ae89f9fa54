import { t } from '@lingui/core/macro';
import { IconBug, IconListSearch, IconRadar2 } from '@tabler/icons-react';
import type { Api } from '../api/client.ts';

export type Integration = Api['IntegrationDto'];

/** An integration type, with its specific form fields. */
export interface Kind {
  type: Integration['type'];
  subType: Integration['subType'];
  title: string;
  imports: string;
  Icon: typeof IconRadar2;
  urlExample: string;
  account: { field: 'clientId' | 'apiKey' | 'accessKey'; label: string; hint: string };
  secret: { field: 'clientSecret' | 'apiSecret' | 'secretKey'; label: string };
  /** A list that selects what is pulled; null if the kind has none. */
  names: {
    field: 'tagFilters' | 'attackSurfaceTypes';
    label: string;
    hint: string;
    whenEmpty: string;
  } | null;
  switches: readonly {
    field: 'autoOnboardNewAssets' | 'updateExistingAssetsMetadata';
    label: string;
    hint: string;
  }[];
  /** Preparation steps on the platform. */
  steps: readonly string[];
}

const assetSwitches = (): Kind['switches'] => [
  {
    field: 'autoOnboardNewAssets',
    label: t`Onboard new assets`,
    hint: t`If off, hosts without an existing asset are skipped.`,
  },
  {
    field: 'updateExistingAssetsMetadata',
    label: t`Update the metadata of existing assets`,
    hint: t`If off, data of existing assets does not change.`,
  },
];

export const kinds = (): Record<Integration['subType'], Kind> => ({
  falcon: {
    type: 'edrplugin',
    subType: 'falcon',
    title: t`Falcon EDR`,
    imports: t`Hosts as assets, and their detections as EDR findings.`,
    Icon: IconRadar2,
    urlExample: 'https://api.eu-1.crowdstrike.com',
    account: {
      field: 'clientId',
      label: t`Client ID`,
      hint: t`ID of an API client with the scopes Alerts (Read) and Hosts (Read).`,
    },
    secret: { field: 'clientSecret', label: t`Client secret` },
    names: {
      field: 'tagFilters',
      label: t`Tag filters`,
      hint: t`Only hosts with at least one of these tags are pulled. If empty, all hosts that the client can see are pulled. Press Enter or type a comma after each.`,
      whenEmpty: t`All hosts are pulled`,
    },
    switches: assetSwitches(),
    steps: [
      t`In the platform’s console, as a Falcon Administrator, open Support and resources, then API clients and keys.`,
      t`Create an API client with the scopes Hosts: Read and Alerts: Read. Both are needed.`,
      t`Copy the base URL, the client ID and the secret. The platform shows the secret only once.`,
    ],
  },
  axonius: {
    type: 'assetinventory',
    subType: 'axonius',
    title: t`Axonius asset inventory`,
    imports: t`Metadata of existing assets. No new assets and no findings.`,
    Icon: IconListSearch,
    urlExample: 'https://company.on.axonius.com',
    account: {
      field: 'apiKey',
      label: t`API key`,
      hint: t`Credentials of an API user who may view device assets.`,
    },
    secret: { field: 'apiSecret', label: t`API secret` },
    names: {
      field: 'attackSurfaceTypes',
      label: t`Attack surfaces`,
      hint: t`Only assets with these attack surfaces are updated. If empty, no assets are updated. Press Enter or type a comma after each.`,
      whenEmpty: t`No assets are updated`,
    },
    switches: [],
    steps: [
      t`In the platform, use an account with full API access that may view device assets. Its profile shows the API key and the secret.`,
      t`In Settings, add the custom fields assetinventory-id, assetinventory-tags and assetinventory-connection-label, and one field with the name of each adapter tag. Use the type Any and allow multiple values.`,
    ],
  },
  tenable: {
    type: 'vulnerabilityscanner',
    subType: 'tenable',
    title: t`Tenable vulnerability scanner`,
    imports: t`Assets, and their vulnerabilities as findings. Fixed vulnerabilities are retired.`,
    Icon: IconBug,
    urlExample: 'https://cloud.tenable.com',
    account: {
      field: 'accessKey',
      label: t`Access key`,
      hint: t`API key of a user with the role Basic or higher.`,
    },
    secret: { field: 'secretKey', label: t`Secret key` },
    names: null,
    switches: assetSwitches(),
    steps: [
      t`In the platform, create a user for this integration with the role Basic or higher, and give it the permission Can View for the assets to pull.`,
      t`As this user, open My Account, then API Keys, and generate the keys. New keys replace the earlier ones of the user.`,
      t`Optional: in Settings, add a custom field with the name of each tag category. Use the type Any and allow multiple values.`,
    ],
  },
});

export const kindOf = ({ subType }: Pick<Integration, 'subType'>): Kind => kinds()[subType];

/** The kind by its API name, which is also used in the address bar. */
export const kindNamed = (subType: string | undefined): Kind | undefined =>
  Object.values(kinds()).find((kind) => kind.subType === subType);
