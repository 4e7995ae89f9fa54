/** Bounds of one ZIP, below those of the service (R-ZIP-8) by the error of the estimate. */
export interface ZipLimits {
  zipBytesMax: number;
  unpackedBytesMax: number;
  entriesMax: number;
}

/** The service takes 5,242,880 bytes, 200 MB unpacked and 100,000 entries; the config.json counts too. */
export const ZIP_LIMITS: ZipLimits = {
  zipBytesMax: 4_800_000,
  unpackedBytesMax: 199 * 1_048_576,
  entriesMax: 99_999,
};

/** The service's own limit for the part. */
export const PART_BYTES_MAX = 5_242_880;

/** The service's own limit for an entry, unpacked (R-ZIP-8). */
export const SIGNAL_BYTES_MAX = 1_048_576;

/** The data of a signal that packing needs. */
export interface PackableSignal {
  entryName: string;
  entityKey: string;
  deflatedBytes: number;
  unpackedBytes: number;
}

export interface ZipPlan<S extends PackableSignal> {
  zips: S[][];
  /** Entities in more than one of the ZIPs. */
  splitEntities: string[];
  /** Entities that fit no ZIP whole though they must; with any of these, `zips` is not to be sent. */
  oversizedEntities: string[];
}

/**
 * Packs signals into ZIPs, the signals of one entity together and in the order given: the last wins (R-ZIP-4).
 * @param keepWhole an entity larger than a ZIP is an error (if types are replaced, R-CLI-3); otherwise it is split
 */
export function planZips<S extends PackableSignal>(
  signals: Iterable<S>,
  keepWhole: boolean,
  limits: ZipLimits = ZIP_LIMITS,
): ZipPlan<S> {
  const plan: ZipPlan<S> = { zips: [], splitEntities: [], oversizedEntities: [] };
  const open = new OpenZip<S>(limits);
  for (const [entityKey, group] of groupByEntity(signals)) {
    const size = sizeOf(group);
    if (!open.fits(size)) open.closeInto(plan.zips);
    if (open.fits(size)) {
      open.add(group, size);
    } else if (keepWhole) {
      plan.oversizedEntities.push(entityKey);
    } else {
      if (group.length > 1) plan.splitEntities.push(entityKey);
      if (!addSingly(open, group, plan.zips)) plan.oversizedEntities.push(entityKey);
    }
  }
  open.closeInto(plan.zips);
  return plan;
}

/** The part of a ZIP's limits that entries use. */
export interface Size {
  zipBytes: number;
  unpackedBytes: number;
  entries: number;
}

/** A ZIP that is being filled. */
export class OpenZip<S extends PackableSignal> {
  signals: S[] = [];
  size: Size = { zipBytes: 0, unpackedBytes: 0, entries: 0 };

  constructor(private readonly limits: ZipLimits) {}

  fits({ zipBytes, unpackedBytes, entries }: Size): boolean {
    return (
      this.size.zipBytes + zipBytes <= this.limits.zipBytesMax &&
      this.size.unpackedBytes + unpackedBytes <= this.limits.unpackedBytesMax &&
      this.size.entries + entries <= this.limits.entriesMax
    );
  }

  add(group: S[], size: Size): void {
    for (const signal of group) this.signals.push(signal);
    this.size = sum(this.size, size);
  }

  closeInto(zips: S[][]): void {
    if (this.signals.length > 0) zips.push(this.signals);
    this.signals = [];
    this.size = { zipBytes: 0, unpackedBytes: 0, entries: 0 };
  }
}

/** @returns false if a single signal is over the limits */
function addSingly<S extends PackableSignal>(open: OpenZip<S>, group: S[], zips: S[][]): boolean {
  for (const signal of group) {
    const size = sizeOf([signal]);
    if (!open.fits(size)) open.closeInto(zips);
    if (!open.fits(size)) return false;
    open.add([signal], size);
  }
  return true;
}

function groupByEntity<S extends PackableSignal>(signals: Iterable<S>): Map<string, S[]> {
  const groups = new Map<string, S[]>();
  for (const signal of signals) {
    const group = groups.get(signal.entityKey);
    if (group) group.push(signal);
    else groups.set(signal.entityKey, [signal]);
  }
  return groups;
}

/** Headers of an entry in both places of a ZIP, without its name (30 and 46 bytes, with room for extra fields). */
const ENTRY_HEADERS_BYTES = 120;

export function sizeOf(group: PackableSignal[]): Size {
  const size = { zipBytes: 0, unpackedBytes: 0, entries: group.length };
  for (const { entryName, deflatedBytes, unpackedBytes } of group) {
    size.zipBytes += deflatedBytes + ENTRY_HEADERS_BYTES + 2 * Buffer.byteLength(entryName);
    size.unpackedBytes += unpackedBytes;
  }
  return size;
}

const sum = (a: Size, b: Size): Size => ({
  zipBytes: a.zipBytes + b.zipBytes,
  unpackedBytes: a.unpackedBytes + b.unpackedBytes,
  entries: a.entries + b.entries,
});
