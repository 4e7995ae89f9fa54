import type { IntegrationSubType } from '#libs/domain';
import type { Egress } from '#libs/egress';
import type { Connector } from './connector.ts';
import type { ConnectorKit } from './connector-kind.ts';
import { CONNECTOR_KINDS } from './connector-kinds.ts';
import type { DeviceLookup } from './device-lookup.ts';
import { RETRY_TIMING, type RetryTiming, VendorRequests } from './requests/vendor-requests.ts';

/** An integration with its secret. */
export interface IntegrationSetup {
  subType: IntegrationSubType;
  /** With `url` and the kind's account field. */
  config: object;
  /** With the kind's secret field. */
  secrets: object;
}

/** The functions of the service that a connector uses. */
export interface ConnectorContext extends Pick<ConnectorKit, 'settings' | 'assets'> {
  /** Names the source of its signals; omitted: the subtype. */
  source?: string;
  /** Omitted: no device is known. */
  devices?: DeviceLookup;
  /** Left out: real time. */
  retryTiming?: RetryTiming;
  /** Records of one page, 1 to 1,000; one page is in memory at a time. Omitted: 1,000. */
  pageSize?: number;
  /** Of one answer; a page beyond it is requested again with half as many records. Left out: 64 MiB. */
  answerBytesMax?: number;
}

const PAGE_SIZE = 1_000;

const noDevices: DeviceLookup = async () => new Map();

/** The connector of an integration; nothing is asked of the vendor yet. */
export function connectorOf(
  { subType, config, secrets }: IntegrationSetup,
  egress: Egress,
  { retryTiming = RETRY_TIMING, pageSize = PAGE_SIZE, answerBytesMax, ...context }: ConnectorContext,
): Connector {
  const kind = CONNECTOR_KINDS[subType];
  const field = (name: string) => (({ ...config, ...secrets }) as Record<string, string>)[name] ?? '';
  const setup = {
    url: field('url').replace(/(?<!\/)\/+$/, ''),
    account: field(kind.account),
    secret: field(kind.secret),
    config,
  };
  const requests = new VendorRequests(egress, [setup.secret, setup.account], retryTiming, answerBytesMax);
  return kind.connect(setup, {
    source: subType,
    devices: noDevices,
    ...context,
    requests,
    retryTiming,
    pageSize,
  });
}
