import type { ConnectorKind } from '../connector-kind.ts';
import { FalconClient } from './falcon-client.ts';
import { FalconConnector } from './falcon-connector.ts';

interface FalconConfig {
  /** Empty: all hosts. */
  tagFilters: string[];
  autoOnboardNewAssets: boolean;
  updateExistingAssetsMetadata: boolean;
}

export const falconKind: ConnectorKind<FalconConfig> = {
  type: 'edrplugin',
  subType: 'falcon',
  account: 'clientId',
  secret: 'clientSecret',
  findingType: 'edr',
  connect({ url, account, secret, config }, { requests, retryTiming, pageSize, source, settings }) {
    const credentials = { url, clientId: account, clientSecret: secret };
    const client = new FalconClient(requests, credentials, retryTiming, pageSize);
    return new FalconConnector(client, {
      source,
      tagFilters: config.tagFilters,
      rules: {
        importAssets: config.autoOnboardNewAssets,
        updateMetadata: config.updateExistingAssetsMetadata,
        overrideAccepted: false,
      },
      osMapping: () => settings().osMapping,
    });
  },
};
