import type { ConnectorKind } from '../connector-kind.ts';
import { TenableClient } from './tenable-client.ts';
import { TenableConnector } from './tenable-connector.ts';

interface TenableConfig {
  autoOnboardNewAssets: boolean;
  updateExistingAssetsMetadata: boolean;
}

export const tenableKind: ConnectorKind<TenableConfig> = {
  type: 'vulnerabilityscanner',
  subType: 'tenable',
  account: 'accessKey',
  secret: 'secretKey',
  findingType: 'va',
  connect({ url, account, secret, config }, { requests, retryTiming, pageSize, source, settings, devices }) {
    const credentials = { url, accessKey: account, secretKey: secret };
    const client = new TenableClient(requests, credentials, pageSize);
    return new TenableConnector(client, {
      source,
      rules: {
        importAssets: config.autoOnboardNewAssets,
        updateMetadata: config.updateExistingAssetsMetadata,
        overrideAccepted: false,
      },
      settings,
      devices,
      clock: retryTiming.clock,
    });
  },
};
