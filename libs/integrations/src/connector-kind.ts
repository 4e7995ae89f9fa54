import type { FindingType, IntegrationSubType, IntegrationType, Settings } from '#libs/domain';
import type { AssetLookup } from './asset-lookup.ts';
import type { Connector } from './connector.ts';
import type { DeviceLookup } from './device-lookup.ts';
import type { RetryTiming, VendorRequests } from './requests/vendor-requests.ts';

/** An integration as an admin configured it. */
interface ConnectorSetup<Config> {
  /** Base URL, http or https, without a slash at its end. */
  url: string;
  /** Value of the kind's field `account`. */
  account: string;
  secret: string;
  /** All fields; they were checked before they were saved. */
  config: Config;
}

/** What the service provides to every connector. */
export interface ConnectorKit {
  /** Requests with limits, retries, and messages without account and secret. */
  requests: VendorRequests;
  /** Clock and waits of a pull. */
  retryTiming: RetryTiming;
  /** Records of one page, 1 to 1,000; one page is in memory at a time. */
  pageSize: number;
  /** Source name of the signals. */
  source: string;
  /** As they are at the moment. */
  settings: () => Pick<Settings, 'customFields' | 'osMapping' | 'assetMatching'>;
  /** For an inventory that describes only known assets. */
  assets: AssetLookup;
  /** For records that name a device which the pull did not describe. */
  devices: DeviceLookup;
}

/** The differences between kinds of integrations. One file per vendor has one; `connector-kinds.ts` lists them. */
export interface ConnectorKind<Config = unknown> {
  type: IntegrationType;
  subType: IntegrationSubType;
  /** The field that names whose secret it is: if it changes, the secret must be entered again. */
  account: string;
  /** The field that is sealed and never returned (R-INT-2). */
  secret: string;
  /** Of the findings that it brings; null: it only updates metadata of assets that other sources bring. */
  findingType: FindingType | null;
  /** Its connector; sends no request yet. */
  connect(setup: ConnectorSetup<Config>, kit: ConnectorKit): Connector;
}
