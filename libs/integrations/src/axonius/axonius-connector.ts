import { isFqdn, type Settings, type SignalContext } from '#libs/domain';
import type { AssetLookup, MatchedAsset } from '../asset-lookup.ts';
import {
  type Connector,
  type IgnoredReason,
  type PulledPage,
  type PullFailure,
  pageOf,
} from '../connector.ts';
import { fieldNames } from '../field-names.ts';
import { type CountedPage, shortfallOf } from '../requests/cursor-pages.ts';
import { VendorError } from '../requests/vendor-error.ts';
import { axoniusChecks } from './axonius-checks.ts';
import type { AxoniusClient } from './axonius-client.ts';
import { candidateNames, deviceSignal, ownFqdns } from './device-signal.ts';
import { type Device, readDevice } from './read-device.ts';

export interface AxoniusOptions {
  /** Of the signals: `axonius`. */
  source: string;
  /** Attack surfaces whose assets are described; if empty, no asset is. */
  attackSurfaceTypes: string[];
  assets: AssetLookup;
  settings: () => Pick<Settings, 'customFields' | 'osMapping' | 'assetMatching'>;
}

const NO_SURFACE =
  'no assets are updated because attackSurfaceTypes is empty: add the attack surfaces to update';

/**
 * Assets of devices without an id that a pull remembers, some 20 MB of them: earlier assets may be described twice, which
 * is harmless.
 */
const DESCRIBED_MAX = 200_000;

/** Metadata of known assets from the inventory. */
export class AxoniusConnector implements Connector {
  /** It creates no asset (R-INV-2). */
  readonly rules: SignalContext['rules'] = {
    importAssets: false,
    updateMetadata: true,
    overrideAccepted: false,
  };
  readonly isEdrInventory = false;

  constructor(
    private readonly client: AxoniusClient,
    private readonly options: AxoniusOptions,
  ) {}

  checks() {
    return axoniusChecks(this.client);
  }

  /** Whole each time: the inventory does not say since when a device has changed. */
  async *pull(_since: string | null, signal: AbortSignal): AsyncGenerator<PulledPage> {
    if (this.options.attackSurfaceTypes.length === 0) {
      yield pageOf({ notices: [NO_SURFACE], watermark: null, progress: { done: 0, of: 0 } });
      return;
    }
    const progress: PulledPage['progress'] = { done: 0, of: await this.count(signal) };
    const first = progress.of;
    const described = new Set<string>();
    try {
      for await (const page of this.client.devicePages(signal)) {
        if (page.received > 0) progress.of = page.total ?? progress.of;
        progress.done = page.received;
        const failed: PullFailure[] = [];
        if (page.flaw !== null) failed.push({ what: `devices page ${page.number}`, message: page.flaw });
        const message = page.isLast
          ? shortfallOf({ first: first ?? progress.of, last: progress.of }, page.received)
          : null;
        if (message !== null) failed.push({ what: 'devices', message });
        const mapped = await this.describe(page, described);
        yield pageOf({ ...mapped, failed, watermark: null, progress: { ...progress } });
      }
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      const failed = [{ what: error.what, message: error.reason }];
      yield pageOf({ failed, watermark: null, progress: { ...progress } });
    }
  }

  /** null if the platform does not say: the paging itself will say why. */
  private async count(signal: AbortSignal): Promise<number | null> {
    try {
      return await this.client.countDevices(signal);
    } catch (error) {
      if (error instanceof VendorError) return null;
      throw error;
    }
  }

  /** @param described ids of the assets that this pull has described by a device without an id */
  private async describe(
    page: CountedPage,
    described: Set<string>,
  ): Promise<Pick<PulledPage, 'signals' | 'records' | 'ignored'>> {
    const { assets, source, settings, attackSurfaceTypes } = this.options;
    const { customFields, osMapping, assetMatching } = settings();
    const known = { customFields: fieldNames(customFields), osMapping };
    const surfaces = new Set(attackSurfaceTypes.map((type) => type.toLowerCase()));
    const devices = page.records.map(readDevice);
    const found =
      devices.length > 0
        ? await assets([...new Set(devices.flatMap(candidateNames))])
        : new Map<string, MatchedAsset>();
    const signals: PulledPage['signals'] = [];
    const ignored: PulledPage['ignored'] = page.repeated > 0 ? { repeated: page.repeated } : {};
    const ignore = (reason: IgnoredReason) => {
      ignored[reason] = (ignored[reason] ?? 0) + 1;
    };
    for (const device of devices) {
      const match = matchOf(device, found, assetMatching);
      if (match === null) ignore('unmatched');
      else if (!surfaces.has(match.asset.attackSurface.toLowerCase())) ignore('otherAttackSurface');
      else if (device.id === '' && described.has(match.asset.id)) ignore('sameAsset');
      else {
        if (device.id === '' && described.size < DESCRIBED_MAX) described.add(match.asset.id);
        signals.push(deviceSignal(device, match.name, source, known));
      }
    }
    return { signals, records: devices.length, ignored };
  }
}

/**
 * The first name of the device that refers to an asset, and the asset. If FQDNs distinguish assets, a bare host name
 * does not refer to an asset with another FQDN than the device (R-ASSET-2).
 */
function matchOf(
  device: Device,
  found: ReadonlyMap<string, MatchedAsset>,
  matching: Settings['assetMatching'],
): { name: string; asset: MatchedAsset } | null {
  for (const name of candidateNames(device)) {
    const asset = found.get(name);
    if (!asset) continue;
    const fqdns = ownFqdns(device, name);
    if (matching === 'name' || isFqdn(name) || fqdns.length === 0 || asset.fqdn === null)
      return { name, asset };
    const same = fqdns.find((fqdn) => fqdn.toLowerCase() === asset.fqdn?.toLowerCase());
    if (same !== undefined) return { name: same, asset };
  }
  return null;
}
