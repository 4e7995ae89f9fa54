import type { Settings } from '#libs/domain';
import type { Egress } from '#libs/egress';
import { AxoniusClient } from './axonius/axonius-client.ts';
import { type AssetLookup, AxoniusConnector } from './axonius/axonius-connector.ts';
import type { Connector } from './connector.ts';
import { FalconClient } from './falcon/falcon-client.ts';
import { FalconConnector } from './falcon/falcon-connector.ts';
import { PATIENCE, type Patience, VendorRequests } from './requests/vendor-requests.ts';

/** An integration as an admin configured it (D28). */
export type IntegrationSetup =
  | {
      type: 'edrplugin';
      subType: 'falcon';
      config: {
        /** Base URL, http or https; a slash at its end does not matter. */
        url: string;
        clientId: string;
        /** Empty: all hosts. */
        tagFilters: string[];
        autoOnboardNewAssets: boolean;
        updateExistingAssetsMetadata: boolean;
      };
      secrets: { clientSecret: string };
    }
  | {
      type: 'assetinventory';
      subType: 'axonius';
      config: {
        url: string;
        apiKey: string;
        /** Empty: no asset is updated (D31). */
        attackSurfaceTypes: string[];
      };
      secrets: { apiSecret: string };
    };

/** What a connector needs of the service. */
export interface ConnectorContext {
  /** Names the source of its signals; left out: the subtype. */
  source?: string;
  /** As they are at the moment. */
  settings: () => Pick<Settings, 'customFields' | 'osMapping' | 'assetMatching'>;
  /** For the inventory, which describes known assets only. */
  assets: AssetLookup;
  /** Left out: real time. */
  patience?: Patience;
  /** Records of one page, 1 to 1,000; memory holds one page at a time. Left out: 1,000. */
  pageSize?: number;
  /** Of one answer; a page beyond it is asked for again with half as many records. Left out: 64 MiB. */
  answerBytesMax?: number;
}

const PAGE_SIZE = 1_000;

/** The connector of an integration; nothing is asked of the vendor yet. */
export function connectorOf(setup: IntegrationSetup, egress: Egress, context: ConnectorContext): Connector {
  const {
    settings,
    assets,
    source = setup.subType,
    patience = PATIENCE,
    pageSize = PAGE_SIZE,
    answerBytesMax,
  } = context;
  const url = setup.config.url.replace(/(?<!\/)\/+$/, '');
  switch (setup.subType) {
    case 'falcon': {
      const { clientId, tagFilters, autoOnboardNewAssets, updateExistingAssetsMetadata } = setup.config;
      const { clientSecret } = setup.secrets;
      const requests = new VendorRequests(egress, [clientSecret], patience, answerBytesMax);
      const client = new FalconClient(requests, { url, clientId, clientSecret }, patience, pageSize);
      return new FalconConnector(client, {
        source,
        tagFilters,
        rules: {
          importAssets: autoOnboardNewAssets,
          updateMetadata: updateExistingAssetsMetadata,
          overrideAccepted: false,
        },
        osMapping: () => settings().osMapping,
        clock: patience.clock,
      });
    }
    case 'axonius': {
      const { apiKey, attackSurfaceTypes } = setup.config;
      const { apiSecret } = setup.secrets;
      const requests = new VendorRequests(egress, [apiSecret, apiKey], patience, answerBytesMax);
      const client = new AxoniusClient(requests, { url, apiKey, apiSecret }, pageSize);
      return new AxoniusConnector(client, { source, attackSurfaceTypes, assets, settings });
    }
  }
}
