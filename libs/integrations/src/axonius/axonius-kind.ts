import type { ConnectorKind } from '../connector-kind.ts';
import { AxoniusClient } from './axonius-client.ts';
import { AxoniusConnector } from './axonius-connector.ts';

interface AxoniusConfig {
  /** Empty: no asset is updated. */
  attackSurfaceTypes: string[];
}

export const axoniusKind: ConnectorKind<AxoniusConfig> = {
  type: 'assetinventory',
  subType: 'axonius',
  account: 'apiKey',
  secret: 'apiSecret',
  findingType: null,
  connect({ url, account, secret, config }, { requests, pageSize, source, assets, settings }) {
    const client = new AxoniusClient(requests, { url, apiKey: account, apiSecret: secret }, pageSize);
    return new AxoniusConnector(client, {
      source,
      attackSurfaceTypes: config.attackSurfaceTypes,
      assets,
      settings,
    });
  },
};
