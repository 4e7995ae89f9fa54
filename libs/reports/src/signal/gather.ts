import type { RawSecurityContext } from '#libs/domain';
import type { Finding } from '../format.ts';
import type { Ledger } from '../ledger.ts';
import type { FindingRecord } from '../packing/found-record.ts';
import { type Place, placeOf } from '../place.ts';
import { Clipper } from './clip.ts';
import { contextOf, hasSeverity } from './context-of.ts';
import { newestStatements } from './newest-statements.ts';
import type { GatheredFinding } from './signal-of.ts';

/** How many instances one signal has: an entry has at most 1 MB (R-ZIP-8), including the texts given once. */
const INSTANCES_MAX = 5_000;
const INSTANCE_BYTES_MAX = 500_000;

/** With the places of all findings that are in it. */
export interface Gathered extends GatheredFinding {
  places: Place[];
}

/**
 * Combines the findings of one entity, which are sorted by identity and grouped by asset, into one for each signal. One
 * with more instances than a signal can have becomes several, numbered in their names; equal instances are merged.
 */
export async function* gather(
  findings: AsyncIterable<FindingRecord>,
  ledger: Ledger,
): AsyncGenerator<Gathered> {
  let open: OpenFinding | null = null;
  for await (const { key, file, finding } of newestStatements(findings, ledger)) {
    const context = await instanceOf(file, finding, ledger);
    const isSame: boolean = open !== null && open.key === key && open.gathered.asset === finding.asset;
    if (open && !(isSame && open.takes(context))) {
      yield open.gathered;
      open = new OpenFinding(key, finding, isSame ? open.gathered.part + 1 : 1);
      if (open.gathered.part > 1)
        await ledger.note(placeOf(file, finding), 'more instances than fit in one signal: split');
    }
    open ??= new OpenFinding(key, finding, 1);
    if (!open.add(file, finding, context)) ledger.repeated += 1;
  }
  if (open) yield open.gathered;
}

interface Instance {
  context: RawSecurityContext;
  text: string;
  bytes: number;
}

async function instanceOf(file: string, finding: Finding, ledger: Ledger): Promise<Instance> {
  const clip = new Clipper();
  const context = contextOf(finding, clip);
  const place = placeOf(file, finding);
  for (const note of [...clip.notes, ...(finding.notes ?? [])]) await ledger.note(place, note);
  if (!hasSeverity(finding.severity)) await ledger.note(place, 'has no severity: set to medium');
  const text = JSON.stringify(context);
  return { context, text, bytes: Buffer.byteLength(text) };
}

class OpenFinding {
  readonly gathered: Gathered;
  private readonly seen = new Set<string>();
  private bytes = 0;

  constructor(
    readonly key: string,
    first: FindingRecord['finding'],
    part: number,
  ) {
    const { asset } = first;
    const source = first.source ?? 'converted report';
    this.gathered = { asset, first, source, part, contexts: [], firstSeen: null, lastSeen: null, places: [] };
  }

  /** Text that occurred before needs no space. */
  takes({ text, bytes }: Instance): boolean {
    const fits = this.bytes + bytes <= INSTANCE_BYTES_MAX && this.seen.size < INSTANCES_MAX;
    return fits || this.seen.has(text);
  }

  /** @returns false if the same was said before */
  add(file: string, finding: Finding, { context, text, bytes }: Instance): boolean {
    const { gathered } = this;
    gathered.places.push(placeOf(file, finding));
    gathered.firstSeen = earlier(gathered.firstSeen, finding.firstSeen ?? null);
    gathered.lastSeen = later(gathered.lastSeen, finding.lastSeen ?? null);
    if (this.seen.has(text)) return false;
    this.seen.add(text);
    this.bytes += bytes;
    gathered.contexts.push(context);
    return true;
  }
}

/** Instants are written in one way, so that their texts have their order. */
const earlier = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);
const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a);
