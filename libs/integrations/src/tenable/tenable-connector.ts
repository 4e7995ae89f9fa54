import { entityKey, isoTime, type Settings, type SignalContext } from '#libs/domain';
import { connectionChecks } from '../connection-checks.ts';
import { type Connector, type IgnoredReason, type PulledPage, pageOf } from '../connector.ts';
import type { DeviceLookup } from '../device-lookup.ts';
import { fieldNames } from '../field-names.ts';
import { instantOf, type Json, objectOf, textOf } from '../json-values.ts';
import type { ExportedChunk } from '../requests/export-chunks.ts';
import { VendorError } from '../requests/vendor-error.ts';
import { assetSignal, readAsset } from './asset-signal.ts';
import { assetName } from './host-name.ts';
import type { TenableClient } from './tenable-client.ts';
import { type PlacedVulnerability, vulnerabilitySignals } from './vulnerability-signals.ts';

export interface TenableOptions {
  /** Of the signals: `tenable`. */
  source: string;
  rules: SignalContext['rules'];
  settings: () => Pick<Settings, 'customFields' | 'osMapping' | 'assetMatching'>;
  /** Names under which earlier pulls have described assets. */
  devices: DeviceLookup;
  /** Epoch milliseconds. */
  clock: () => number;
}

type MappedChunk = Pick<PulledPage, 'signals' | 'ignored' | 'notices'>;

/** A delta begins so long before the watermark: an export of an earlier sync, which a pull may use, is kept for a day. */
const OVERLAP_MS = 24 * 60 * 60_000;
/** A first pull: the platform keeps data for 15 months. */
const KEPT_MS = 460 * 24 * 60 * 60_000;
/** Names of assets that a pull remembers, some 200 MB of them. */
const NAMES_MAX = 1_000_000;
const ID_CHARS_MAX = 200;

/** Assets of this pull by their ids. */
type AssetsByIds = Map<string, { name: string; isGone: boolean }>;

interface KnownAssets {
  byId: AssetsByIds;
  /** Of deleted assets that live ones are too, by `identityOf`. */
  reused: ReadonlySet<string>;
  /** All assets were read while vulnerabilities were, with assets that are younger than the first export. */
  isReread: boolean;
}

/** Assets and vulnerabilities of the scanner, each by an export. */
export class TenableConnector implements Connector {
  readonly rules: SignalContext['rules'];
  readonly isEdrInventory = false;

  constructor(
    private readonly client: TenableClient,
    private readonly options: TenableOptions,
  ) {
    this.rules = options.rules;
  }

  checks() {
    return connectionChecks({
      accepted: 'access key and secret key are accepted',
      probes: (['assets', 'vulnerabilities'] as const).map((name) => ({
        name,
        whenDenied: 'give the user the role Basic or higher',
        send: async () => {
          await this.client.probe(name);
          return `the user may export ${name}`;
        },
      })),
    });
  }

  /**
   * Assets, then their vulnerabilities, unless assets are missing: a vulnerability of one whose name is not known might
   * be added to another asset. Without metadata, assets keep no names of earlier pulls: then a delta reads all of them.
   * The watermark moves only at the end: a chunk has the records of some assets, not those of a time.
   */
  async *pull(since: string | null, signal: AbortSignal): AsyncGenerator<PulledPage> {
    const start = instantOf(since);
    const from = Math.floor(((start ?? this.options.clock() - KEPT_MS) - OVERLAP_MS) / 1_000);
    const assetsFrom = start === null || !this.rules.updateMetadata ? null : from;
    const known: KnownAssets = { byId: new Map(), reused: new Set(), isReread: false };
    const parts = [
      pagesOf(this.client.assets(assetsFrom, signal), (records) => this.describe(records, known.byId)),
      ...(['weaknesses', 'recastToInfo'] as const).map((selection) =>
        pagesOf(this.client.vulnerabilities(selection, from, signal), (records) =>
          this.observe(records, known, signal),
        ),
      ),
    ];
    let isMissing = false;
    let reached: number | null = null;
    for (const [done, pages] of parts.entries()) {
      if (done === 1 && isMissing) {
        yield pageOf({ failed: [UNREAD], watermark: since, progress: { done, of: parts.length } });
        break;
      }
      if (done === 1) known.reused = this.reused(known.byId);
      for await (const { startedAt, share, ...page } of pages) {
        isMissing ||= page.failed.length > 0;
        reached ??= startedAt;
        yield pageOf({ ...page, watermark: since, progress: { done: done + share, of: parts.length } });
      }
    }
    const watermark = isMissing || reached === null ? since : isoTime(reached);
    yield pageOf({ watermark, progress: { done: parts.length, of: parts.length } });
  }

  private describe(records: Json[], byId: AssetsByIds): MappedChunk {
    const { source, settings } = this.options;
    const { customFields, osMapping } = settings();
    const known = { customFields: fieldNames(customFields), osMapping };
    const signals: MappedChunk['signals'] = [];
    const ignored = new Ignored();
    for (const asset of records.map(readAsset)) {
      const { name, isGone } = asset;
      remember(asset, byId);
      if (isGone) ignored.add('deleted');
      else if (name === null) ignored.add('nameless');
      else signals.push(assetSignal({ ...asset, name }, source, known));
    }
    const notices = ignored.counts.nameless ? [NAMELESS] : [];
    return { signals, ignored: ignored.counts, notices };
  }

  /**
   * An asset that this pull has not described, because it did not change or is younger, has the name of an earlier
   * description. Without one, all assets are read, since the record names only one of its addresses and FQDNs, which may
   * be that of a load balancer. If it is younger than these too, the next delta has it.
   *
   * A deleted asset whose name a live one has is the same machine, set up again: the keys of its instances will not come
   * again, so they end now. Those of an asset that is not tracked are keys of the live one too.
   */
  private async observe(records: Json[], known: KnownAssets, signal: AbortSignal): Promise<MappedChunk> {
    const { source, devices } = this.options;
    const unnamed = records.filter(
      (record) => assetIdOf(record) !== '' && !known.byId.has(assetIdOf(record)),
    );
    const described = unnamed.length === 0 ? new Map() : await devices(source, unnamed.map(assetIdOf));
    if (unnamed.some((record) => isTracked(record) && !described.has(assetIdOf(record)))) {
      await this.nameAll(known, signal);
    }
    const ignored = new Ignored();
    const placed: PlacedVulnerability[] = [];
    for (const record of records) {
      const id = assetIdOf(record);
      const listed = known.byId.get(id);
      const own = id !== '' && isTracked(record) ? null : ownName(objectOf(record.asset));
      const host = listed?.name ?? described.get(id) ?? own;
      if (host === null) ignored.add('noHost');
      else if (!listed?.isGone) placed.push({ host, record });
      else if (known.reused.has(this.identityOf(host)) && isTracked(record)) {
        placed.push({ host, record: { ...record, state: 'FIXED' } });
      } else ignored.add('deleted');
    }
    return {
      signals: vulnerabilitySignals(placed, source),
      ignored: ignored.counts,
      notices: [],
    };
  }

  /** @throws VendorError if assets are missing */
  private async nameAll(known: KnownAssets, signal: AbortSignal): Promise<void> {
    if (known.isReread) return;
    for await (const { records, flaw } of this.client.assets(null, signal)) {
      if (flaw !== null) throw new VendorError(flaw.what, 'answer', flaw.message);
      for (const asset of records.map(readAsset)) remember(asset, known.byId);
    }
    known.isReread = true;
    known.reused = this.reused(known.byId);
  }

  private reused(byId: Readonly<AssetsByIds>): ReadonlySet<string> {
    const gone = new Set<string>();
    for (const { name, isGone } of byId.values()) if (isGone) gone.add(this.identityOf(name));
    const reused = new Set<string>();
    for (const { name, isGone } of byId.values()) {
      const identity = this.identityOf(name);
      if (!isGone && gone.has(identity)) reused.add(identity);
    }
    return reused;
  }

  /** Equal for names of one asset here: of a host name and its FQDNs, unless FQDNs distinguish assets (R-ASSET-2). */
  private identityOf(name: string): string {
    return this.options.settings().assetMatching === 'name' ? entityKey('machine', name) : name.toLowerCase();
  }
}

function remember({ id, name, isGone }: ReturnType<typeof readAsset>, byId: AssetsByIds): void {
  if (id !== '' && name !== null && byId.size < NAMES_MAX) byId.set(id, { name, isGone });
}

const assetIdOf = ({ asset }: Json): string => textOf(objectOf(asset).uuid, ID_CHARS_MAX);

/** The record of an asset that is not tracked may be of a machine that no export of assets lists. */
const isTracked = ({ asset }: Json): boolean => objectOf(asset).tracked !== false;

/** The name of an asset that the platform does not list: it is not tracked. */
function ownName(asset: Json): string | null {
  const listed = (...fields: string[]) =>
    fields.map((field) => textOf(asset[field])).filter((text) => text !== '');
  return assetName({
    fqdns: listed('fqdn'),
    hostnames: listed('hostname'),
    netbiosNames: listed('netbios_name'),
    agentNames: [],
    addresses: listed('ipv4', 'ipv6'),
    id: textOf(asset.uuid, ID_CHARS_MAX),
  });
}

class Ignored {
  readonly counts: Partial<Record<IgnoredReason, number>> = {};

  add(reason: IgnoredReason): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
  }
}

interface ChunkPage extends MappedChunk, Pick<PulledPage, 'records' | 'failed'> {
  /** Null: the export was not started. */
  startedAt: number | null;
  /** Of the export, from 0 to 1. */
  share: number;
}

/** An export that cannot be started or followed is a failure of it alone. @throws EgressError of kind `aborted` */
async function* pagesOf(
  chunks: AsyncGenerator<ExportedChunk>,
  map: (records: Json[]) => MappedChunk | Promise<MappedChunk>,
): AsyncGenerator<ChunkPage> {
  try {
    for await (const { startedAt, records, flaw, progress } of chunks) {
      const share = progress.of ? Math.min(1, progress.done / progress.of) : 0;
      const failed = flaw === null ? [] : [flaw];
      yield { ...(await map(records)), records: records.length, failed, startedAt, share };
    }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const failed = [{ what: error.what, message: error.reason }];
    yield { signals: [], ignored: {}, notices: [], records: 0, failed, startedAt: null, share: 0 };
  }
}

const UNREAD = {
  what: 'vulnerabilities',
  message: 'not read, because assets are missing, and with them the names of assets',
};

const NAMELESS = 'some assets have neither a name, an address nor an id: they are skipped';
