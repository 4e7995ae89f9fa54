import { OpenZip, sizeOf, ZIP_LIMITS, type ZipLimits } from '../../upload/plan-zips.ts';
import type { Ledger } from '../ledger.ts';
import { TEXT_MAX } from '../signal/clip.ts';
import { gather } from '../signal/gather.ts';
import { shortened } from '../signal/shortened.ts';
import { assetSignalOf, type MadeSignal, signalOf } from '../signal/signal-of.ts';
import { entryName } from './entry-name.ts';
import { entryOf, refusalOf, type SignalEntry, signalIn } from './signal-entry.ts';
import type { AssetGroup } from './spilled-findings.ts';

export interface PackOptions {
  /** An asset larger than a ZIP is spread over several; otherwise its texts are cut, and then it is left out. */
  splitsAssets: boolean;
  limits?: ZipLimits;
}

/** Lengths that the texts of an asset are cut to, one after another, until it fits a ZIP. */
const SHORTER_CHARS = [2_000, 200, 0];

/**
 * Fills ZIPs with assets, one after another; each is handed on when it is full. An asset is in one ZIP (spec
 * §ZipConfig): where it does not fit an empty one, the texts of its signals are cut further, which is noted, and where
 * that does not do its findings are listed.
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

  /** Takes an asset with all its findings. */
  async add(group: AssetGroup, source: string): Promise<void> {
    const own = new AssetEntries(this.limits);
    let isEmpty = true;
    for await (const gathered of gather(group.findings, this.ledger)) {
      isEmpty = false;
      const made = signalOf(group.asset, gathered);
      for (const kind of made.cut) {
        await this.ledger.note(gathered.places[0]!, `${kind} cut to ${TEXT_MAX[kind]} characters`);
      }
      await this.addSignal(own, made, group, gathered.places);
    }
    if (isEmpty) await this.addSignal(own, assetSignalOf(group.asset, source), group, []);
    if (own.leftOut) return;
    if (own.entries.length > 0) this.assets += 1;
    await this.take(own.entries);
  }

  private async addSignal(
    own: AssetEntries,
    { signal }: MadeSignal,
    group: AssetGroup,
    places: SignalEntry['places'],
  ): Promise<void> {
    if (own.leftOut) return this.list(places, TOO_LARGE);
    const refusal = refusalOf(signal);
    if (refusal !== null) return this.list(places, refusal);
    const name = entryName(group.entityKey, ++this.made, signal.name);
    const entry = entryOf(shortenedTo(signal, own.charsMax), name, group.entityKey, places);
    while (!own.add(entry)) {
      if (this.options.splitsAssets && own.entries.length > 0) {
        await this.take(own.entries);
        await this.close();
        own.clear();
        await this.ledger.note(assetPlace(group), 'does not fit one ZIP: spread over several');
      } else if (own.level < SHORTER_CHARS.length) {
        own.shorten();
        await this.ledger.note(
          assetPlace(group),
          `does not fit one ZIP: its texts are cut to ${own.charsMax} characters`,
        );
        Object.assign(entry, entryOf(shortenedTo(signal, own.charsMax), name, group.entityKey, places));
      } else {
        own.leftOut = true;
        for (const each of [...own.entries, entry]) await this.list(each.places, TOO_LARGE);
        return;
      }
    }
  }

  private async list(places: SignalEntry['places'], reason: string): Promise<void> {
    for (const place of places) await this.ledger.list(place, reason);
  }

  private async take(entries: SignalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const size = sizeOf(entries);
    if (!this.open.fits(size)) await this.close();
    this.open.add(entries, size);
    this.signals += entries.length;
    for (const { places } of entries) this.ledger.mapped += places.length;
  }

  /** Hands on what is left. */
  async close(): Promise<void> {
    if (this.open.signals.length === 0) return;
    const entries = this.open.signals;
    this.open = new OpenZip(this.limits);
    await this.write(entries);
  }
}

const TOO_LARGE =
  'its asset does not fit one ZIP of 5 MB, even with all texts cut (--split-assets spreads it)';

const assetPlace = ({ entityKey, asset }: AssetGroup) => ({ file: '', place: entityKey, name: asset.name });

const shortenedTo = (signal: Parameters<typeof shortened>[0], charsMax: number | null) =>
  charsMax === null ? signal : shortened(signal, charsMax);

/** The signals of one asset, which must fit one ZIP together. */
class AssetEntries {
  leftOut = false;
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

  /** @returns false where it does not fit */
  add(entry: SignalEntry): boolean {
    const size = sizeOf([entry]);
    if (!this.filled.fits(size)) return false;
    this.filled.add([entry], size);
    return true;
  }

  clear(): void {
    this.filled = new OpenZip(this.limits);
  }

  /** Cuts the texts of all that is there to the next length. */
  shorten(): void {
    this.level += 1;
    const { entries, charsMax } = this;
    this.clear();
    for (const entry of entries) {
      const { entryName, entityKey, places } = entry;
      this.add(entryOf(shortenedTo(signalIn(entry), charsMax), entryName, entityKey, places));
    }
  }
}
