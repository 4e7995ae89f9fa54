import type { Settings, Signal } from '#libs/domain';
import { OpenZip, sizeOf, ZIP_LIMITS, type ZipLimits } from '#libs/signal-zips';
import type { FoundAsset } from '../format.ts';
import type { Ledger } from '../ledger.ts';
import { gather } from '../signal/gather.ts';
import { shortened } from '../signal/shortened.ts';
import { assetSignalOf, type BuiltSignal, signalOf } from '../signal/signal-of.ts';
import { fqdnOf } from './entity-assets.ts';
import { entryName } from './entry-name.ts';
import { type EntryHead, entryOf, refusalOf, type SignalEntry, signalIn } from './signal-entry.ts';
import { type EntityGroup, TooManySignals } from './spilled-findings.ts';

export interface PackOptions {
  /** Splits an asset that is larger than a ZIP. Otherwise its texts are shortened, and if that fails it is skipped. */
  splitsAssets: boolean;
  /** Throws TooManySignals instead of skipping an asset. */
  rejectsOversized?: boolean;
  /** The name of the source of signals that only describe their asset. */
  source: string;
  limits?: ZipLimits;
  /** Default: a service with default settings. */
  service?: { receivedAt: number; settings: Settings };
}

/** Lengths that the texts of an asset are cut to, one after another, until it fits a ZIP. */
const SHORTER_CHARS = [2_000, 200, 0];

/**
 * Fills ZIPs with assets, one after another; each is handed on when it is full. An asset is in one ZIP
 * (R-CLI-3), with all others of its entity, which may be the same to the service. If they do not fit an empty ZIP,
 * they are spread over several. If they must not be, the texts of their signals are cut further, and if that is not
 * enough, their findings are listed. A note says so.
 */
export class ZipPacker {
  assets = 0;
  signals = 0;
  private made = 0;
  private open: OpenZip<SignalEntry>;
  private readonly limits: ZipLimits;

  /** @param write takes the entries of a ZIP */
  constructor(
    private readonly ledger: Ledger,
    private readonly write: (entries: SignalEntry[]) => Promise<void>,
    private readonly options: PackOptions,
  ) {
    this.limits = options.limits ?? ZIP_LIMITS;
    this.open = new OpenZip(this.limits);
  }

  /** Takes the assets of an entity with all their findings. */
  async add(group: EntityGroup): Promise<void> {
    const own = new EntityEntries(this.limits);
    const withoutFindings = new Set(group.assets.all);
    if (group.assets.joinsFqdns) await this.ledger.note(entityPlace(group), JOINED);
    for await (const gathered of gather(group.findings, this.ledger)) {
      withoutFindings.delete(gathered.asset);
      const made = signalOf(gathered);
      for (const note of made.notes) await this.ledger.note(gathered.places[0]!, note);
      await this.addSignal(own, made, group, gathered);
    }
    for (const asset of withoutFindings) {
      await this.addSignal(own, this.descriptionOf(asset), group, { asset, places: [] });
    }
    if (own.leftOut) return;
    this.assets += own.assets.size;
    await this.take(own.entries);
  }

  private async addSignal(
    own: EntityEntries,
    { signal }: BuiltSignal,
    group: EntityGroup,
    { asset, places }: Pick<SignalEntry, 'asset' | 'places'>,
  ): Promise<void> {
    if (own.leftOut) return this.list(places, TOO_LARGE);
    const refusal = refusalOf(signal, this.options.service);
    if (refusal !== null) return this.list(places, refusal);
    const head = this.headOf(signal, group, { asset, places });
    const entry = entryOf(shortenedTo(signal, own.charsMax), head);
    while (!own.add(entry)) {
      if (this.options.splitsAssets && own.entries.length > 0) {
        await this.spread(own, group);
      } else if (own.level < SHORTER_CHARS.length) {
        own.shorten();
        await this.ledger.note(
          entityPlace(group),
          `does not fit in one ZIP: its texts are cut to ${own.charsMax} characters`,
        );
        Object.assign(entry, entryOf(shortenedTo(signal, own.charsMax), head));
      } else {
        if (this.options.rejectsOversized) throw new TooManySignals();
        own.leftOut = true;
        for (const each of [...own.entries, entry]) await this.list(each.places, TOO_LARGE);
        return;
      }
    }
  }

  private headOf(
    signal: Signal,
    { entityKey }: EntityGroup,
    { asset, places }: Pick<SignalEntry, 'asset' | 'places'>,
  ): EntryHead {
    return { entryName: entryName(entityKey, ++this.made, signal.name), entityKey, asset, places };
  }

  private descriptionOf(asset: FoundAsset): BuiltSignal {
    return assetSignalOf(asset, this.options.source);
  }

  /** Passes on the gathered part of an entity, so that the rest is in the next ZIP. */
  private async spread(own: EntityEntries, group: EntityGroup): Promise<void> {
    if (!own.isSpread) {
      own.isSpread = true;
      await this.ledger.note(entityPlace(group), 'does not fit in one ZIP: split across several');
      if (group.assets.all.length > 1) await this.describeFqdns(group);
    }
    await this.take(own.entries);
    await this.close();
    own.clear();
  }

  /** A bare name joins the only FQDN that a service knows: it has to know all before, also those of later ZIPs. */
  private async describeFqdns(group: EntityGroup): Promise<void> {
    for (const asset of group.assets.all) {
      if (fqdnOf(asset.name) === '') continue;
      const { signal } = this.descriptionOf(asset);
      if (refusalOf(signal, this.options.service) !== null) continue;
      await this.take([entryOf(signal, this.headOf(signal, group, { asset, places: [] }))]);
    }
  }

  private async list(places: SignalEntry['places'], reason: string): Promise<void> {
    for (const place of places) await this.ledger.list(place, reason);
  }

  private async take(entries: SignalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const size = sizeOf(entries);
    if (!this.open.fits(size)) await this.close();
    this.open.add(bareNamesLast(entries), size);
    this.signals += entries.length;
    for (const { places } of entries) this.ledger.mapped += places.length;
  }

  /** Passes on the rest. */
  async close(): Promise<void> {
    if (this.open.signals.length === 0) return;
    const entries = this.open.signals;
    this.open = new OpenZip(this.limits);
    await this.write(entries);
  }
}

const TOO_LARGE = 'its asset does not fit in one ZIP, even with all texts cut';

const JOINED =
  'its FQDNs are merged into one asset, as in a service with default settings (asset matching by FQDN keeps them separate)';

const entityPlace = ({ entityKey, assets }: EntityGroup) => ({
  file: '',
  place: entityKey,
  name: assets.all[0]!.name,
});

/** A service that keeps FQDNs apart adds a bare name to the only FQDN it knows (R-ASSET-2): here all are known. */
const bareNamesLast = (entries: SignalEntry[]): SignalEntry[] => {
  const isBare = ({ asset }: SignalEntry) => fqdnOf(asset.name) === '';
  return [...entries.filter((entry) => !isBare(entry)), ...entries.filter(isBare)];
};

const shortenedTo = (signal: Parameters<typeof shortened>[0], charsMax: number | null) =>
  charsMax === null ? signal : shortened(signal, charsMax);

/** The signals of one entity, which must fit one ZIP together. */
class EntityEntries {
  readonly assets = new Set<FoundAsset>();
  leftOut = false;
  isSpread = false;
  /** How often its texts were cut. */
  level = 0;
  private filled: OpenZip<SignalEntry>;

  constructor(private readonly limits: ZipLimits) {
    this.filled = new OpenZip(limits);
  }

  get entries(): SignalEntry[] {
    return this.filled.signals;
  }

  /** Of its texts; null: not cut. */
  get charsMax(): number | null {
    return this.level === 0 ? null : SHORTER_CHARS[this.level - 1]!;
  }

  /** @returns false if it does not fit */
  add(entry: SignalEntry): boolean {
    const size = sizeOf([entry]);
    if (!this.filled.fits(size)) return false;
    this.assets.add(entry.asset);
    this.filled.add([entry], size);
    return true;
  }

  clear(): void {
    this.filled = new OpenZip(this.limits);
  }

  /** Shortens the texts of all entries to the next length. All are kept: if they do not fit, no other one does. */
  shorten(): void {
    this.level += 1;
    const { entries, charsMax } = this;
    this.clear();
    for (const entry of entries) {
      const shorter = entryOf(shortenedTo(signalIn(entry), charsMax), entry);
      this.filled.add([shorter], sizeOf([shorter]));
    }
  }
}
