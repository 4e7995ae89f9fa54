import type { Settings } from '#libs/domain';
import type { Egress } from '#libs/egress';
import { AxoniusClient } from './axonius/axonius-client.ts';
import { type AssetLookup, AxoniusConnector } from './axonius/axonius-connector.ts';
import type { Connector } from './connector.ts';
import { FalconClient } from './falcon/falcon-client.ts';
import { FalconConnector } from './falcon/falcon-connector.ts';
import { RETRY_TIMING, type RetryTiming, VendorRequests } from './requests/vendor-requests.ts';

/** An integration as an admin configured it. */
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
        /** Empty: no asset is updated. */
        attackSurfaceTypes: string[];
      };
      secrets: { apiSecret: string };
    };

/** The functions of the service that a connector uses. */
export interface ConnectorContext {
  /** Names the source of its signals; omitted: the subtype. */
  source?: string;
  /** As they are at the moment. */
  settings: () => Pick<Settings, 'customFields' | 'osMapping' | 'assetMatching'>;
  /** For the inventory, which describes known assets only. */
  assets: AssetLookup;
  /** Left out: real time. */
  retryTiming?: RetryTiming;
  /** Records of one page, 1 to 1,000; one page is in memory at a time. Omitted: 1,000. */
  pageSize?: number;
  /** Of one answer; a page beyond it is requested again with half as many records. Left out: 64 MiB. */
  answerBytesMax?: number;
}

const PAGE_SIZE = 1_000;

/** The connector of an integration; nothing is asked of the vendor yet. */
export function connectorOf(setup: IntegrationSetup, egress: Egress, context: ConnectorContext): Connector {
  const {
    settings,
    assets,
    source = setup.subType,
    retryTiming = RETRY_TIMING,
    pageSize = PAGE_SIZE,
    answerBytesMax,
  } = context;
  const url = setup.config.url.replace(/(?<!\/)\/+$/, '');
  switch (setup.subType) {
    case 'falcon': {
      const { clientId, tagFilters, autoOnboardNewAssets, updateExistingAssetsMetadata } = setup.config;
      const { clientSecret } = setup.secrets;
      const requests = new VendorRequests(egress, [clientSecret], retryTiming, answerBytesMax);
      const client = new FalconClient(requests, { url, clientId, clientSecret }, retryTiming, pageSize);
      return new FalconConnector(client, {
        source,
        tagFilters,
        rules: {
          importAssets: autoOnboardNewAssets,
          updateMetadata: updateExistingAssetsMetadata,
          overrideAccepted: false,
        },
        osMapping: () => settings().osMapping,
        clock: retryTiming.clock,
      });
    }
    case 'axonius': {
      const { apiKey, attackSurfaceTypes } = setup.config;
      const { apiSecret } = setup.secrets;
      const requests = new VendorRequests(egress, [apiSecret, apiKey], retryTiming, answerBytesMax);
      const client = new AxoniusClient(requests, { url, apiKey, apiSecret }, pageSize);
      return new AxoniusConnector(client, { source, attackSurfaceTypes, assets, settings });
    }
  }
}
