import { inflateRawSync } from 'node:zlib';
import { parseSignal } from '#libs/contracts';
import { DEFAULT_SETTINGS, readSignal, type Signal } from '#libs/domain';
import {
  type Deflated,
  deflated,
  type PackableSignal,
  SIGNAL_BYTES_MAX,
  type ZipEntry,
} from '#libs/signal-zips';
import type { FoundAsset } from '../format.ts';
import type { Place } from '../place.ts';

/** A signal that waits for its ZIP, compressed: an asset's wait together. */
export interface SignalEntry extends PackableSignal {
  asset: FoundAsset;
  content: Deflated;
  /** Findings that are in it. */
  places: Place[];
}

/** The entity of an entry, independent of the content of its signal. */
export type EntryHead = Pick<SignalEntry, 'entryName' | 'entityKey' | 'asset' | 'places'>;

export function entryOf(signal: Signal, { entryName, entityKey, asset, places }: EntryHead): SignalEntry {
  const content = deflated(Buffer.from(JSON.stringify(signal)));
  return {
    entryName,
    entityKey,
    asset,
    places,
    content,
    deflatedBytes: content.bytes.length,
    unpackedBytes: content.unpackedBytes,
  };
}

export const signalIn = ({ content }: SignalEntry): Signal =>
  JSON.parse(inflateRawSync(content.bytes).toString('utf8'));

export const zipEntryOf = ({ entryName, content }: SignalEntry): ZipEntry => ({
  name: entryName,
  read: async () => content,
});

/** The time of arrival is not known, and does not matter to it. */
const DEFAULT_SERVICE = { receivedAt: 0, settings: DEFAULT_SETTINGS };

/**
 * Why the service would reject a signal, by its own reader; null if it accepts it. A rejected entry would have the
 * whole ZIP rejected (R-ZIP-5).
 */
export function refusalOf(signal: Signal, { receivedAt, settings } = DEFAULT_SERVICE): string | null {
  const bytes = Buffer.from(JSON.stringify(signal));
  if (bytes.length > SIGNAL_BYTES_MAX) return 'its signal would be larger than 1 MB';
  const parsed = parseSignal(bytes);
  if (!parsed.ok) return inWords(parsed.problems);
  const read = readSignal(parsed.signal, {
    route: 'zip',
    receivedAt,
    rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
    settings,
  });
  return read.ok ? null : inWords(read.problems);
}

const inWords = ([first]: { field: string; message: string }[]): string =>
  `the service would reject its signal: ${first?.field} ${first?.message}`;
